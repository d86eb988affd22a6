// Feedback on answers: loads nothing for a neuron that takes none.
import { lazy } from '../../../core/async/lazy.ts';
import type { ReadyCall } from '../run.ts';
import type { MintPorts } from './mint.ts';

const loadMint = lazy(() => import('./mint.ts'));

export const loadFeedback = lazy(() => import('./take.ts'));

/** The call with the token that its answer carries. Never throws: an answer without a token is better than none. */
export async function withFeedbackToken(call: ReadyCall, ports: MintPorts): Promise<ReadyCall> {
  if (call.settings.neuron.feedback === undefined) return call;
  try {
    const { mint } = await loadMint();
    return { ...call, feedbackToken: await mint(call, ports) };
  } catch {
    return call;
  }
}
