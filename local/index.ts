// The public interface of the package; nothing else may be imported from outside.

export type { FailureCode, LocalFailure } from './failure.ts';
export { awslambda, createResponseStream } from './functions/response-stream.ts';
export type { Endpoints, OutputsFile, StackOutputs } from './outputs.ts';
export { type RunningTables, readStacks, startSecrets, startTables } from './parts.ts';
export { type Local, type LocalOptions, startLocal } from './start-local.ts';
export type { ResolvedResource, ResolvedStack } from './template/types.ts';
