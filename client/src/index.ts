// What the package `neuron-client` offers.
export { NeuronClient } from './client.ts';
export { NeuronError } from './error.ts';
export type { CallNeuronOptions, NeuronClientOptions, NeuronErrorBody, NeuronResponse } from './types.ts';
