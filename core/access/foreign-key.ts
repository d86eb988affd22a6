// API keys of another system, which `neuron keys import` takes over by their digests.
import { digestOf, isApiKey } from './api-key.ts';
import { isKnownSecret } from './known-secrets.ts';
import { hasJwtForm } from './token-shape.ts';

/** A key that is found by its digest alone must be as hard to guess as a random 128-bit number. */
const MIN_BITS = 128;

/** `sk-`, `sk-proj-`, `pk_live_`: the same for every key of a system. */
const PREFIX = /^[a-z]{2,4}[-_](?:(?:proj|live|test|prod|ant)[-_])*(?=.{20})/;

/** Undefined for a signed JWT, which is no key. Without a digest the key could be guessed, and no store is asked for it. */
export function parseForeignKey(token: string): { readonly digest: string | undefined } | undefined {
  if (hasJwtForm(token)) return undefined;
  return { digest: bitsOf(token) < MIN_BITS ? undefined : digestOf(token) };
}

/** Why a key cannot be taken over, as the end of a sentence about it; undefined for one that can. */
export function findForeignKeyFlaw(key: string): string | undefined {
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(key)) return 'has characters that no bearer token has (RFC 6750)';
  if (isApiKey(key)) return 'begins as the keys of this service do, and would be checked as one of them';
  if (hasJwtForm(key)) return 'has the form of a JWT, and would be verified as one';
  if (isKnownSecret(key)) return 'is a value that is known from documentation and examples';
  const bits = Math.floor(bitsOf(key));
  return bits < MIN_BITS
    ? `can be guessed: it is worth about ${bits} bits, and ${MIN_BITS} are needed, such as 22 random letters and digits of both cases`
    : undefined;
}

/**
 * The bits of a text at most, whoever made it: each character is one of its alphabet, but for words, digits apart, and for
 * characters that follow from those before them.
 */
function bitsOf(key: string): number {
  const text = contentOf(key);
  const bitsOfOne = Math.log2(alphabetOf(text));
  const bitsOfLetter = isOfWords(text) ? BITS_OF_A_LETTER : bitsOfOne;
  return [...text].reduce((bits, character, at) => {
    if (isForeseen(text, at)) return bits;
    return bits + (/[0-9]/.test(character) ? bitsOfOne : bitsOfLetter);
  }, 0);
}

/** A caller may send a token of 8 KB, and the search for repetitions takes quadratic time. */
const MAX_EXAMINED = 200;

/** The part that differs from key to key. The hyphens of a UUID say nothing. */
function contentOf(key: string): string {
  const text = key.slice(0, MAX_EXAMINED).replace(PREFIX, '').replaceAll('=', '');
  return HEXADECIMAL.test(text) ? text.replaceAll(/[-_]/g, '') : text;
}

/** A letter of an English word (Shannon, Prediction and Entropy of Printed English, 1951, with some letters before it known). */
const BITS_OF_A_LETTER = 2.3;

const HEXADECIMAL = /^(?:[0-9a-f_-]+|[0-9A-F_-]+)$/;

/** The size of the smallest usual alphabet that has all characters of a text. */
function alphabetOf(text: string): number {
  if (/^[0-9]+$/.test(text)) return 10;
  if (HEXADECIMAL.test(text)) return 16;
  // Base64 has all classes; one may be missing by chance.
  if (/[a-z]/.test(text) && /[A-Z]/.test(text)) return 64;
  return 36;
}

/** A character that ends four equal steps, such as those of `aaaaa` and `12345`, or six characters that stand in the text before. */
function isForeseen(text: string, at: number): boolean {
  const isRun = [1, 2, 3].every((back) => stepAt(text, at - back) === stepAt(text, at));
  return isRun || text.indexOf(text.slice(at - 5, at + 1)) < at - 5;
}

function stepAt(text: string, at: number): number {
  return text.charCodeAt(at) - text.charCodeAt(at - 1);
}

/** The most frequent pairs of letters: half of those of English, a twelfth of random ones (Norvig, English Letter Frequency Counts). */
const PAIRS = new Set(
  `th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne
   ea ra ce li ch ll be ma si om ur ke ey cr et pr od`.match(/[a-z]{2}/g),
);

/** True where two of five pairs of letters are frequent ones. Within a word no large letter follows a small one. */
function isOfWords(text: string): boolean {
  if (HEXADECIMAL.test(text)) return false;
  const pairs = text
    .split(/[^A-Za-z]/)
    .flatMap((run) => Array.from({ length: Math.max(0, run.length - 1) }, (_, at) => run.slice(at, at + 2)));
  const frequent = pairs.filter((pair) => !/[a-z][A-Z]/.test(pair) && PAIRS.has(pair.toLowerCase()));
  return pairs.length >= MIN_PAIRS && frequent.length * 5 > pairs.length * 2;
}

/** Fewer could be frequent ones by chance. */
const MIN_PAIRS = 10;
