// The calls of the soak, in pairs of equal ones: the second finds the answer of the first in the cache, or its limit used up.
import { generateApiKey } from '../../core/access/api-key.ts';
import { PAIRS } from '../../test/adapters/jwt/key-pairs.ts';
import { SECRET, signWithKey, signWithSecret } from '../../test/core/access/tokens.ts';
import { createMemoryRandom } from '../../test/support/memory/random.ts';
import type { Call } from '../invoke.ts';
import { KINDS, type Kind, kindOf, slugsOf, WITH_KEYS } from './neurons.ts';

/** Callers, each with an address, a key, a name and an input of their own. */
export const SUBJECTS = 200_000;
/** Neurons that are called now and then. */
export const NEURONS = 105_000;
/** Neurons of each kind that are called repeatedly. */
const HOT_NEURONS = 50;

/** The key that verifies the tokens of `jwks`. */
export const SIGNING_KEY = PAIRS.ES256;

/** Always the same for a number, but for the time in its token. `nowMs`: milliseconds since the Unix epoch. */
export function makeCall(number: number, nowMs: number): Call {
  const pair = Math.floor(number / 2);
  const subject = pair % SUBJECTS;
  const turn = Math.floor(pair / KINDS.length);
  const among = turn % 10 === 0 ? Math.floor(turn / 10) % HOT_NEURONS : turn % (NEURONS / KINDS.length);
  const neuron = (pair % KINDS.length) + KINDS.length * among;
  const token = makeToken(kindOf(neuron), subject, turn % 10 === 7, nowMs);
  const slugs = slugsOf(neuron);
  // A semantically equal text.
  const end = kindOf(neuron) === 'meaning' && number % 2 === 1 ? '!' : '';
  return {
    // Every tenth call is for a neuron that does not exist.
    ...(turn % 10 === 3 ? { ...slugs, neuron: `unknown-${pair}` } : slugs),
    sourceIp: `${(subject >> 16) + 11}.${(subject >> 8) & 255}.${subject & 255}.7`,
    body: JSON.stringify({
      input: `${subject} of ${neuron}: ${'a word or two '.repeat(subject % 100)}${personalOf(neuron, subject)}${end}`,
      ...(kindOf(neuron) === 'tagged' ? { metadata: { ticket: `ticket-${subject}` } } : {}),
    }),
    headers: {
      referer: `https://site-${subject}.example.com/page`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  };
}

/** Values that guards find; a service blocks one text in seven. */
function personalOf(neuron: number, subject: number): string {
  const kind = kindOf(neuron);
  if (kind === 'guarded') return `I am user-${subject}@mail.example.com, token sk-proj-${'Ab1'.repeat(16)}.`;
  return kind === 'served' && subject % 7 === 0 ? 'forbidden' : '';
}

function makeToken(kind: Kind, subject: number, isBad: boolean, nowMs: number): string | undefined {
  if (WITH_KEYS.has(kind)) {
    const { key } = generateApiKey(createMemoryRandom(subject));
    return isBad ? `${key.slice(0, -1)}-` : key;
  }
  // A bad token has expired, or is signed with another secret.
  const seconds = Math.floor(nowMs / 1_000);
  const payload = { sub: `user-${subject}`, exp: seconds + (isBad && subject % 2 === 0 ? -600 : 600) };
  const secret = isBad ? `${SECRET}, another one` : SECRET;
  if (kind === 'secret') return signWithSecret(payload, { alg: 'HS256' }, secret);
  const kid = isBad ? `unknown-${subject}` : 'ES256';
  return kind === 'jwks' ? signWithKey(SIGNING_KEY.privateKey, payload, { alg: 'ES256', kid }) : undefined;
}
