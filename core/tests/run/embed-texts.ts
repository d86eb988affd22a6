// Makes vectors of texts by a neuron that answers embeddings.
import { type ServiceError, toServiceError } from '../../contract/service-error.ts';
import { runFlow } from '../../flow/run.ts';
import { startDeadline } from '../../time/deadline.ts';
import { toExecutionId } from './execution-id.ts';
import { type NeuronUse, NOTHING_USED } from './run-neuron.ts';
import { openFlowPorts, type RunPorts } from './run-ports.ts';
import { type TestedNeuron, toCaller } from './tested-neuron.ts';

/** Vectors in the order of their texts, with their use. */
export interface EmbeddedTexts extends NeuronUse {
  readonly vectors: readonly Float32Array[];
  /** The error with which the run ended; undefined where there are vectors. */
  readonly failure: ServiceError | undefined;
}

/** Never rejects: a run that fails has no vectors, and may have cost. */
export async function embedTexts(
  neuron: TestedNeuron,
  inputs: readonly string[],
  ports: RunPorts,
): Promise<EmbeddedTexts> {
  const deadline = startDeadline(ports.clock, neuron.settings.deadline);
  try {
    const wish = { inputs, isSingle: false, dimensions: undefined };
    const context = {
      conversation: { system: [], messages: [], tools: [], parameters: {} },
      embedding: { wish, cached: [] },
      username: undefined,
      executionId: toExecutionId('embeddings'),
      caller: toCaller(neuron, undefined, 'embeddings'),
      deadline,
    };
    const result = await runFlow(neuron.flow, context, openFlowPorts(neuron, 'embeddings', ports));
    const { costMicrodollars, tokensInput, tokensOutput } = result;
    const use = { costMicrodollars, tokensInput, tokensOutput };
    if (result.kind === 'failed') return { vectors: [], failure: result.rejection, ...use };
    return { vectors: result.vectors ?? [], failure: undefined, ...use };
  } catch (thrown) {
    return { vectors: [], failure: toServiceError(thrown), ...NOTHING_USED };
  } finally {
    deadline.end();
  }
}
