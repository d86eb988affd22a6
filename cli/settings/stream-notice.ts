// Prints which neurons stream text as the model writes it, and which in one piece.
import type { NeuronInput } from '../../core/admin/apply/changes.ts';
import { streamModeOf } from '../../core/flow/stream-mode.ts';
import { parseFlow } from '../../core/settings/flow-schema.ts';
import type { Output } from '../output/print.ts';

type StreamingNeuron = Pick<NeuronInput, 'organization' | 'slug' | 'flow'>;

/** One line for each mode. Neurons without a flow are left out. `waitsForGuards`: a guard must see a whole answer. */
export function printStreamModes<Neuron extends StreamingNeuron>(
  neurons: readonly Neuron[],
  {
    transferMode,
    waitsForGuards,
  }: { readonly transferMode: 'STREAM' | 'BUFFERED'; readonly waitsForGuards: (neuron: Neuron) => boolean },
  out: Pick<Output, 'message'>,
): void {
  const names = { live: [] as string[], whole: [] as string[], guarded: [] as string[] };
  for (const neuron of neurons) {
    const { organization, slug, flow: stored } = neuron;
    const flow = parseFlow(stored);
    if (flow === undefined) continue;
    const mode = transferMode === 'BUFFERED' ? 'whole' : streamModeOf(flow);
    names[mode === 'live' && waitsForGuards(neuron) ? 'guarded' : mode].push(`${organization}/${slug}`);
  }
  const { live, whole, guarded } = names;
  const send = live.length === 1 ? 'sends' : 'send';
  if (live.length > 0) out.message(`Streaming: ${live.join(', ')} ${send} text as the model writes.`);
  const reason =
    transferMode === 'BUFFERED'
      ? 'the stack is in BUFFERED transfer'
      : 'a step or a schema must see the whole text first';
  if (whole.length > 0) out.message(`Streaming in one piece (${reason}): ${whole.join(', ')}.`);
  if (guarded.length > 0)
    out.message(`Streaming in one piece (a guard must see the whole text first): ${guarded.join(', ')}.`);
}
