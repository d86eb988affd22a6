// Tells for each neuron how its streams leave: word by word, or in one piece.
import type { NeuronInput } from '../../core/admin/apply/changes.ts';
import { type StreamMode, streamModeOf } from '../../core/flow/stream-mode.ts';
import { parseFlow } from '../../core/settings/parse-flow.ts';
import type { Output } from '../output/print.ts';

const NOTICES = {
  live: 'Streams live (as the model writes)',
  whole: 'Streams whole (a step or a schema must see all of the text first)',
  BUFFERED: 'Streams whole (the stack is in BUFFERED transfer)',
} as const;

/** One line for each way. Neurons without a flow are left out. */
export function tellStreamModes(
  neurons: readonly Pick<NeuronInput, 'organization' | 'slug' | 'flow'>[],
  transferMode: 'STREAM' | 'BUFFERED',
  out: Pick<Output, 'message'>,
): void {
  const names: Record<keyof typeof NOTICES, string[]> = { live: [], whole: [], BUFFERED: [] };
  for (const { organization, slug, flow } of neurons) {
    const mode = modeOf(flow);
    if (mode === undefined) continue;
    names[transferMode === 'BUFFERED' ? 'BUFFERED' : mode].push(`${organization}/${slug}`);
  }
  for (const way of ['live', 'whole', 'BUFFERED'] as const)
    if (names[way].length > 0) out.message(`${NOTICES[way]}: ${names[way].join(', ')}.`);
}

function modeOf(stored: unknown): StreamMode | undefined {
  const flow = parseFlow(stored);
  return flow === undefined ? undefined : streamModeOf(flow);
}
