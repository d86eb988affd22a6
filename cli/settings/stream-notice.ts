// Prints which neurons stream text as the model writes it, and which in one piece.
import type { NeuronInput } from '../../core/admin/apply/changes.ts';
import { streamModeOf } from '../../core/flow/stream-mode.ts';
import { parseFlow } from '../../core/settings/parse-flow.ts';
import type { Output } from '../output/print.ts';

/** One line for each mode. Neurons without a flow are left out. */
export function printStreamModes(
  neurons: readonly Pick<NeuronInput, 'organization' | 'slug' | 'flow'>[],
  transferMode: 'STREAM' | 'BUFFERED',
  out: Pick<Output, 'message'>,
): void {
  const names = { live: [] as string[], whole: [] as string[] };
  for (const { organization, slug, flow: stored } of neurons) {
    const flow = parseFlow(stored);
    if (flow === undefined) continue;
    names[transferMode === 'BUFFERED' ? 'whole' : streamModeOf(flow)].push(`${organization}/${slug}`);
  }
  const { live, whole } = names;
  const send = live.length === 1 ? 'sends' : 'send';
  if (live.length > 0) out.message(`Streaming: ${live.join(', ')} ${send} text as the model writes.`);
  const reason =
    transferMode === 'BUFFERED'
      ? 'the stack is in BUFFERED transfer'
      : 'a step or a schema must see the whole text first';
  if (whole.length > 0) out.message(`Streaming in one piece (${reason}): ${whole.join(', ')}.`);
}
