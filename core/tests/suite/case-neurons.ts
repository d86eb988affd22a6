// The neurons of a case, wherever they run.
import type { EmbeddedTexts } from '../run/embed-texts.ts';
import type { NeuronRun, RunRequest } from '../run/run-neuron.ts';
import type { RunPorts } from '../run/run-ports.ts';

/** The memory of one run. */
export type OpenRun = Pick<RunPorts, 'clock' | 'circuits' | 'recorder'>;

/** A neuron, wherever it runs: in this process, or at an address. Never rejects. */
export type CallNeuron = (request: RunRequest, run: OpenRun) => Promise<NeuronRun>;

/** The vectors of texts, with what they cost. Never rejects. */
export type EmbedTexts = (texts: readonly string[], run: OpenRun) => Promise<EmbeddedTexts>;

/** The neuron that a case is tried on, and those that judge it. */
export interface CaseNeurons {
  readonly neuron: CallNeuron;
  readonly judge: CallNeuron | undefined;
  readonly embeddings: EmbedTexts | undefined;
}
