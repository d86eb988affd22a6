// Reasoning as its provider sealed it, on its way through a caller and back: an envelope that says whose it is, and nothing that is readable here.
//
// It needs no signature: a caller could send the same to the provider, which checks its own. It goes back to the neuron, provider and model
// that it came from, and to no other.
import type { SealedReasoning } from '../conversation/conversation.ts';
import { hasMoreValues, parseJson, textMemberOf } from '../text/json.ts';

const PREFIX = 'nr1.';

/** Longer ones are none of this service, and none with more values and names: they would take a hundred times their size. */
const MAX_LENGTH = 1_000_000;
const MAX_VALUES = 20;

const ORIGINS = ['openai', 'anthropic', 'bedrock'] as const;

export function sealReasoning(reasoning: SealedReasoning): string {
  return PREFIX + Buffer.from(JSON.stringify(reasoning)).toString('base64url');
}

/** Undefined for every text that is no envelope of this service. */
export function openReasoning(sealed: string): SealedReasoning | undefined {
  if (!sealed.startsWith(PREFIX) || sealed.length > MAX_LENGTH) return undefined;
  const json = Buffer.from(sealed.slice(PREFIX.length), 'base64url').toString();
  if (hasMoreValues(json, MAX_VALUES)) return undefined;
  const value = parseJson(json);
  const origin = ORIGINS.find((one) => one === textMemberOf(value, 'origin'));
  const model = textMemberOf(value, 'model');
  const payload = textMemberOf(value, 'payload');
  const text = textMemberOf(value, 'text');
  const seal = textMemberOf(value, 'seal');
  if (origin === undefined || model === undefined || payload === undefined || payload === '')
    return undefined;
  if (![model, payload, text ?? '', seal ?? ''].every((one) => one.isWellFormed())) return undefined;
  return {
    origin,
    model,
    payload,
    ...(text === undefined ? {} : { text }),
    ...(seal === undefined ? {} : { seal }),
  };
}
