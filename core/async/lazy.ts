// Modules that are loaded when they are first needed: a cold start does not pay for code that its first call does not use.
import { ServiceError } from '../contract/service-error.ts';

/**
 * One load for all callers. A load that fails is tried again by the next caller.
 * @param load for example `() => import('./module.ts')`: the bundler writes modules that only such imports name to files of their own
 * @throws ServiceError `internal`, 500, when the load fails: that is a defect of the deployment, not of the request
 */
export function lazy<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw new ServiceError('internal', { reason: 'a module could not be loaded', cause });
    });
    return loading;
  };
}
