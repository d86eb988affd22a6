// A rollout on the way of a request: who gets which version, what the entry says, and that no answer crosses over.
import { describe, expect, it } from 'vitest';
import type { CountedEntry } from '../../../core/ports/usage.ts';
import type { Rollout } from '../../../core/settings/stored-settings.ts';
import { bucketOf } from '../../../core/text/subject-bucket.ts';
import { slotRows } from '../../../core/usage/slot-row.ts';
import { type Caller, openNeuron } from './rollout-neuron.ts';

const HALF: Rollout = { id: 'r1', candidate: 'v2', basisPoints: 5_000, by: 'user' };

/** A name on each side of `HALF`. */
const [CONTROL = '', CANDIDATE = ''] = [false, true].map((isCandidate) =>
  Array.from({ length: 50 }, (_, index) => `user-${index}`).find(
    (name) => bucketOf('r1', 'user', name) < 5_000 === isCandidate,
  ),
);

describe('a rollout', () => {
  it('gives each caller the version of one side, and says so in the entry', async () => {
    const { call, entries } = openNeuron(HALF);
    expect(await call({ username: CONTROL })).toMatchObject({ version: 'v1', logged: 'v1', arm: 'control' });
    expect(await call({ username: CANDIDATE })).toMatchObject({
      version: 'v2',
      logged: 'v2',
      arm: 'candidate',
    });
    expect(entries[1]?.rollout).toEqual({ id: 'r1', arm: 'candidate' });
  });

  it.each([
    ['is missing', undefined, 'missing_deployment'],
    ['does not parse', [{ callModel: 5 }], 'configuration'],
    [
      'calls no provider of the organization',
      [{ callModel: { provider: 'gone', model: 'm', prompt: 'x' } }],
      'configuration',
    ],
  ])('counts a candidate that %s as a failure of its side', async (_what, flow, code) => {
    const { call, entries } = openNeuron(HALF, undefined, (id) => (id === 'v2' ? flow : []), 500);
    await call({ username: CANDIDATE });
    const [entry] = entries;
    expect(entry).toMatchObject({
      ...{ code, outcome: 'failed', version: 'v2' },
      rollout: { id: 'r1', arm: 'candidate' },
    });
    const [row] = slotRows({ ...entry, organization: 'acme' } as CountedEntry, entry?.timeMs ?? 0);
    expect(row).toMatchObject({ subject: { arm: 'candidate' }, amounts: { failed: 1 } });
  });

  it('names no side of a request that is rejected', async () => {
    const { call, entries } = openNeuron(HALF, undefined, undefined, 422);
    await call({ username: CANDIDATE }, 5 as unknown as string);
    expect(entries[0]).toMatchObject({ outcome: 'refused', version: undefined });
    expect(entries[0]).not.toHaveProperty('rollout');
  });

  it('leaves no trace where none is going on', async () => {
    const { call, entries } = openNeuron(undefined);
    expect(await call({ username: CANDIDATE })).toMatchObject({ version: 'v1', arm: undefined });
    expect(entries[0]).not.toHaveProperty('rollout');
  });

  it('keeps cached answers apart, and those of the control from before it began', async () => {
    const { call, move } = openNeuron(undefined);
    expect(await call({ username: CONTROL })).toMatchObject({ version: 'v1', cache: 'miss' });
    move(HALF);
    expect(await call({ username: CONTROL })).toMatchObject({ version: 'v1', cache: 'exact' });
    expect(await call({ username: CANDIDATE })).toMatchObject({ version: 'v2', cache: 'miss' });
    expect(await call({ username: CANDIDATE })).toMatchObject({ version: 'v2', cache: 'exact' });
    move({ ...HALF, basisPoints: 10_000 });
    expect(await call({ username: CONTROL })).toMatchObject({ version: 'v2', cache: 'exact' });
    move(undefined);
    expect(await call({ username: CANDIDATE })).toMatchObject({ version: 'v1', cache: 'exact' });
  });

  it('changes nobody back while the share grows', async () => {
    const { call, move } = openNeuron(undefined);
    const seen = new Map<string, string | undefined>();
    for (const basisPoints of [500, 2_500, 5_000, 10_000]) {
      move({ ...HALF, basisPoints });
      for (let index = 0; index < 40; index += 1) {
        const { version } = await call({ username: `user-${index}` }, `question ${index} at ${basisPoints}`);
        if (seen.get(`${index}`) === 'v2') expect(version).toBe('v2');
        seen.set(`${index}`, version);
      }
    }
    expect(new Set(seen.values())).toEqual(new Set(['v2']));
  });

  it.each(['header', 'body'] as const)('tells end users of one key apart, named in the %s', async (place) => {
    const { call } = openNeuron(HALF);
    const names = Array.from({ length: 40 }, (_, index) => `end-${index}`);
    const versions = new Map<string, string | undefined>();
    for (const name of [...names, ...names]) {
      const named = place === 'header' ? { endUser: name } : { user: name };
      const caller = { keyId: 'nrn000000001', keyGrants: { onBehalfOf: true }, surface: 'openai', ...named };
      const { version, logged } = await call(caller as Caller, name);
      expect(logged).toBe(version);
      expect(versions.get(name) ?? version).toBe(version);
      versions.set(name, version);
    }
    expect(new Set(versions.values())).toEqual(new Set(['v1', 'v2']));
  });
});
