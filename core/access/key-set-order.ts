// Finds a key that verifies a token: at the URLs in the order of the settings, then once more at those whose set may be out of date.
import type { KeyAlgorithm, VerificationKey } from '../ports/jwt.ts';
import type { KeySetBudget, KeySets } from './key-set-cache.ts';
import type { Token } from './token-shape.ts';

/** `unreachable`: no URL gave keys, so the token can be neither verified nor rejected. */
type KeySearch = 'valid' | 'invalid' | 'unreachable';

/** Receives the result of one URL, for `neuron explain`. */
type KeySetNote = (url: string, result: string) => void;

interface Search {
  readonly token: Token;
  readonly algorithm: KeyAlgorithm;
  readonly keySets: KeySets;
  readonly budget: KeySetBudget;
  readonly note: KeySetNote;
  /** URLs that returned keys. */
  readonly answered: Set<string>;
  /** URLs without a matching key, of which a newer set may have one. */
  readonly lacking: string[];
}

/** Tries every URL before it fetches any again, so that a token of the second URL costs no fetch of the first. */
export async function searchKeySets(
  urls: readonly string[],
  token: Token,
  algorithm: KeyAlgorithm,
  keySets: KeySets,
  note: KeySetNote = () => undefined,
): Promise<KeySearch> {
  const budget = keySets.openBudget();
  const search: Search = { token, algorithm, keySets, budget, note, answered: new Set(), lacking: [] };
  for (const url of urls) if (await tryCached(search, url)) return 'valid';
  for (const url of search.lacking) if (await tryRefreshed(search, url)) return 'valid';
  return search.answered.size === 0 ? 'unreachable' : 'invalid';
}

async function tryCached(search: Search, url: string): Promise<boolean> {
  const keys = await search.keySets.read(url, search.budget);
  if (keys === 'failed') {
    search.note(url, 'gives no keys');
    return false;
  }
  search.answered.add(url);
  const matching = keys.filter((key) => matches(key, search));
  if (await verifiesOne(matching, search)) {
    search.note(url, 'has the key that verifies the token');
    return true;
  }
  search.note(url, matching.length === 0 ? 'has no key for the token' : 'has no key that verifies the token');
  // A token that names a key is not rejected for its absence until the set has been fetched again.
  if (matching.length === 0 || search.token.kid === undefined) search.lacking.push(url);
  return false;
}

async function tryRefreshed(search: Search, url: string): Promise<boolean> {
  const keys = await search.keySets.refresh(url, search.budget);
  if (keys === 'recent') return false;
  if (keys === 'failed') {
    // The endpoint may have the key by now.
    search.answered.delete(url);
    search.note(url, 'gives no keys when asked again');
    return false;
  }
  const verified = await verifiesOne(
    keys.filter((key) => matches(key, search)),
    search,
  );
  search.note(
    url,
    verified ? 'has the key that verifies the token, when asked again' : 'has no such key when asked again',
  );
  return verified;
}

/** A `kid` selects its key; without one every key of the algorithm is tried (RFC 7515, section 6 and appendix D). */
function matches({ kid, algorithms }: VerificationKey, { token, algorithm }: Search): boolean {
  return algorithms.includes(algorithm) && (token.kid === undefined || token.kid === kid);
}

async function verifiesOne(keys: readonly VerificationKey[], { token, algorithm }: Search): Promise<boolean> {
  for (const key of keys) if (await key.verify(token.text, algorithm)) return true;
  return false;
}
