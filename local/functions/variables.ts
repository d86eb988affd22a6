// The variables of a function's process: those of Lambda, of the template, and of the local run.

import type { FunctionDefinition } from './definition.ts';

/** Variables that the local run adds for every function. */
export interface ExtraVariables {
  /** For example `AWS_ENDPOINT_URL_DYNAMODB`. */
  readonly variables: Readonly<Record<string, string>>;
  /** File with certificates to trust besides Node's own. */
  readonly ca?: string | undefined;
  /** Node keeps compiled code there between starts; the process hides the variable from the function. */
  readonly compileCacheFolder: string;
}

/**
 * All variables of a function's process. Only `PATH` comes from the runner, so that nothing works here because of the machine.
 * Names and values: Lambda Developer Guide, "Defined runtime environment variables"; the credentials are placeholders.
 */
export function buildVariables(
  definition: FunctionDefinition,
  extra: ExtraVariables,
  logStream: string,
): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    _HANDLER: definition.handler,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_DEFAULT_REGION: definition.region,
    AWS_REGION: definition.region,
    AWS_EXECUTION_ENV: `AWS_Lambda_${definition.runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: definition.version,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: definition.logFormat,
    AWS_LAMBDA_LOG_GROUP_NAME: definition.logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: logStream,
    LAMBDA_TASK_ROOT: definition.codeFolder,
    ...definition.variables,
    ...extra.variables,
    ...(extra.ca === undefined ? {} : { NODE_EXTRA_CA_CERTS: extra.ca }),
    NODE_COMPILE_CACHE: extra.compileCacheFolder,
  };
}
