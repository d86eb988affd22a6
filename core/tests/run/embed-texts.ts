// Makes vectors of texts by a neuron that answers embeddings.
import { runFlow } from '../../flow/run.ts';
import { startDeadline } from '../../time/deadline.ts';
import { toExecutionId } from './execution-id.ts';
import { openFlowPorts, type RunPorts } from './run-ports.ts';
import { type TestedNeuron, toCaller } from './tested-neuron.ts';

/** In the order of the texts. Throws what ends its run. */
export async function embedTexts(
  neuron: TestedNeuron,
  inputs: readonly string[],
  ports: RunPorts,
): Promise<readonly Float32Array[]> {
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
    if (result.kind === 'failed') throw result.rejection;
    return result.vectors ?? [];
  } finally {
    deadline.end();
  }
}
