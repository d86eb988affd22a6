// A module that is loaded when it is first needed: a cold start does not pay for what its first call does not use.
import { ServiceError } from '../contract/service-error.ts';

/**
 * One load for all that wait for it, and for everyone after. A load that fails is tried again by the next caller.
 * @param load for example `() => import('./module.ts')`: the bundler makes a file of its own of what only such imports name
 * @throws ServiceError `internal`, 500, when it fails: that is a defect of the deployment, not of the request
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
