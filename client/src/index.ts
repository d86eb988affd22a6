// What the package `neuron-client` offers.
export { NeuronClient } from './client.ts';
export { NeuronError, NoAnswerError, type NoAnswerReason } from './error.ts';
export type {
  CallNeuronOptions,
  NeuronClientOptions,
  NeuronErrorBody,
  NeuronResponse,
  RetryOptions,
  TokenSource,
} from './types.ts';
