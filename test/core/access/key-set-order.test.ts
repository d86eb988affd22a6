// The order in which key sets are tried, which of their keys, and what it means when none verifies.
import { describe, expect, it } from 'vitest';
import type { KeySetReading, KeySets } from '../../../core/access/key-set-cache.ts';
import { searchKeySets } from '../../../core/access/key-set-order.ts';
import { readToken, type Token } from '../../../core/access/token-shape.ts';
import type { KeyAlgorithm, VerificationKey } from '../../../core/ports/jwt.ts';
import { encode } from './tokens.ts';

interface Endpoint {
  readonly now?: KeySetReading;
  readonly again?: KeySetReading | 'recent';
}

function tokenWith(kid?: string): Token {
  const header = kid === undefined ? { alg: 'RS256' } : { alg: 'RS256', kid };
  const reading = readToken(`${encode(header)}.${encode({})}.c2ln`);
  if ('reason' in reading) throw new Error(reading.reason);
  return reading.token;
}

/** Searches endpoints in their order and records what was done. */
async function search(endpoints: Readonly<Record<string, Endpoint>>, kid?: string) {
  const done: string[] = [];
  const notes: string[] = [];
  const keySets: KeySets = {
    openBudget: () => ({ endsAtMs: 0 }),
    read: async (url) => {
      done.push(`read ${url}`);
      return endpoints[url]?.now ?? 'failed';
    },
    refresh: async (url) => {
      done.push(`again ${url}`);
      return endpoints[url]?.again ?? 'recent';
    },
  };
  const note = (url: string, result: string) => void notes.push(`${url} ${result}`);
  const outcome = await searchKeySets(Object.keys(endpoints), tokenWith(kid), 'RS256', keySets, note);
  return { outcome, done, notes };
}

const tried: string[] = [];
function key(
  name: string,
  good: boolean,
  kid?: string,
  algorithms: KeyAlgorithm[] = ['RS256'],
): VerificationKey {
  return {
    kid,
    algorithms,
    verify: async (_token, algorithm) => {
      tried.push(`${name} ${algorithm}`);
      return good;
    },
  };
}

function whatWasTried(): string[] {
  return tried.splice(0);
}

describe('the order', () => {
  it('is that of the settings, and ends at the first key that verifies', async () => {
    const endpoints = {
      a: { now: [key('a', false, 'k')] },
      b: { now: [key('b', true, 'k')] },
      c: { now: [key('c', true, 'k')] },
    };
    const { outcome, done } = await search(endpoints, 'k');
    expect(outcome).toBe('valid');
    expect(done).toEqual(['read a', 'read b']);
    expect(whatWasTried()).toEqual(['a RS256', 'b RS256']);
  });

  it('goes on past an endpoint that fails', async () => {
    const { outcome, done } = await search({ a: { now: 'failed' }, b: { now: [key('b', true, 'k')] } }, 'k');
    expect(outcome).toBe('valid');
    expect(done).toEqual(['read a', 'read b']);
    whatWasTried();
  });

  it('tries all that is in memory before it asks an endpoint again', async () => {
    const endpoints = {
      a: { now: [], again: [key('new', true, 'k')] },
      b: { now: [key('b', true, 'k')] },
    };
    expect((await search(endpoints, 'k')).done).toEqual(['read a', 'read b']);
    const rotated = { a: { now: [] }, b: { now: [], again: [key('new', true, 'k')] } };
    const { outcome, done } = await search(rotated, 'k');
    expect(outcome).toBe('valid');
    expect(done).toEqual(['read a', 'read b', 'again a', 'again b']);
    whatWasTried();
  });
});

describe('the keys', () => {
  it('with a kid are those of that kid, as often as a set has it', async () => {
    const now = [
      key('other', true, 'x'),
      key('first', false, 'k'),
      key('none', true),
      key('second', true, 'k'),
    ];
    expect((await search({ a: { now } }, 'k')).outcome).toBe('valid');
    expect(whatWasTried()).toEqual(['first RS256', 'second RS256']);
  });

  it('without a kid are all of them', async () => {
    const now = [key('one', false, 'x'), key('two', false), key('three', true, 'y')];
    expect((await search({ a: { now } })).outcome).toBe('valid');
    expect(whatWasTried()).toEqual(['one RS256', 'two RS256', 'three RS256']);
  });

  it('are of the algorithm alone, whatever their kid', async () => {
    const now = [
      key('es', true, 'k', ['ES256']),
      key('rs512', true, 'k', ['RS512']),
      key('ps', true, 'k', ['PS256']),
    ];
    expect((await search({ a: { now } }, 'k')).outcome).toBe('invalid');
    expect(whatWasTried()).toEqual([]);
  });

  it('are no keys for an empty kid but those that have it', async () => {
    expect((await search({ a: { now: [key('none', true), key('k', true, 'k')] } }, '')).outcome).toBe(
      'invalid',
    );
    expect(whatWasTried()).toEqual([]);
  });
});

describe('an endpoint', () => {
  it('is asked again for a key that it lacks, or for a token that names none', async () => {
    const withKid = await search({ a: { now: [key('a', false, 'x')], again: [key('new', true, 'k')] } }, 'k');
    expect(withKid.outcome).toBe('valid');
    const without = await search({ a: { now: [key('a', false)], again: [key('new', true)] } });
    expect(without.outcome).toBe('valid');
    whatWasTried();
  });

  it('gives nothing when asked again but the keys of the kid and the algorithm', async () => {
    const again = [key('other', true, 'x'), key('none', true), key('es', true, 'k', ['ES256'])];
    expect((await search({ a: { now: [], again } }, 'k')).outcome).toBe('invalid');
    expect(whatWasTried()).toEqual([]);
  });

  it('is not asked again where it has the key and the signature is wrong', async () => {
    const { outcome, done } = await search(
      { a: { now: [key('a', false, 'k')], again: [key('new', true, 'k')] } },
      'k',
    );
    expect(outcome).toBe('invalid');
    expect(done).toEqual(['read a']);
    whatWasTried();
  });
});

describe('what it means when no key verifies', () => {
  const wrong = [key('wrong', false, 'k')];
  it.each([
    ['no endpoint answers', { a: { now: 'failed' }, b: { now: 'failed' } }, 'unreachable'],
    ['one answers', { a: { now: 'failed' }, b: { now: wrong } }, 'invalid'],
    ['one answers with no key', { a: { now: 'failed' }, b: { now: [] } }, 'invalid'],
    ['the only one was asked a moment ago', { a: { now: [], again: 'recent' } }, 'invalid'],
    ['the only one answers again', { a: { now: [], again: wrong } }, 'invalid'],
    ['the only one fails when asked again', { a: { now: [], again: 'failed' } }, 'unreachable'],
    [
      'one fails when asked again, and one answers',
      { a: { now: [], again: 'failed' }, b: { now: wrong } },
      'invalid',
    ],
    ['there is none', {}, 'unreachable'],
  ] as const)('%s', async (_name, endpoints, outcome) => {
    expect((await search(endpoints, 'k')).outcome).toBe(outcome);
    whatWasTried();
  });
});

describe('the notes', () => {
  it('is what each endpoint had, and nothing of the token', async () => {
    const endpoints = {
      a: { now: 'failed' as const },
      b: { now: [], again: 'failed' as const },
      c: { now: [key('c', false, 'k')] },
      d: { now: [], again: [key('d', true, 'k')] },
    };
    expect((await search(endpoints, 'k')).notes).toEqual([
      'a gives no keys',
      'b has no key for the token',
      'c has no key that verifies the token',
      'd has no key for the token',
      'b gives no keys when asked again',
      'd has the key that verifies the token, when asked again',
    ]);
    expect((await search({ a: { now: [key('a', true, 'k')] } }, 'k')).notes).toEqual([
      'a has the key that verifies the token',
    ]);
    expect((await search({ a: { now: [], again: [] } }, 'k')).notes).toEqual([
      'a has no key for the token',
      'a has no such key when asked again',
    ]);
    whatWasTried();
  });
});
