// The exports of the package `neuron-client`.
export { bucketOf } from './bucket.ts';
export { NeuronClient } from './client.ts';
export type {
  NeuronJsonSchema,
  NeuronMessage,
  NeuronParameters,
  NeuronPart,
  NeuronResponseFormat,
  NeuronSentToolCall,
  NeuronTool,
  NeuronToolChoice,
} from './conversation.ts';
export {
  IdempotencyMismatchError,
  IncompleteStreamError,
  NeuronError,
  NoAnswerError,
  type NoAnswerReason,
} from './error.ts';
export {
  type RunnableTool,
  type RunToolsOptions,
  type RunToolsResult,
  runTools,
  ToolLoopError,
} from './run-tools.ts';
export { type NeuronEvent, NeuronStream, type NeuronStreamResult } from './stream.ts';
export type {
  CallNeuronOptions,
  NeuronClientOptions,
  NeuronErrorBody,
  NeuronFeedback,
  NeuronResponse,
  NeuronToolCall,
  NeuronVariables,
  RetryOptions,
  SendFeedback,
  TokenSource,
} from './types.ts';
