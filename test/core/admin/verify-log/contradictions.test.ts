// Every key and index attribute of an item against what the other attributes demand: a corpus of forged items.
import { describe, expect, it } from 'vitest';
import { findContradictions } from '../../../../core/admin/verify-log/contradictions.ts';
import type { Json } from '../../../../core/ports/seals.ts';

const ORGANIZATION = 'a1b2c3d4e5f60718293a4b5c';
const NEURON = '0b5e1f2a3c4d5e6f70819203';
const CALL = {
  pk: `${NEURON}#2026-11-21T12#0`,
  sk: '2026-11-21T12:30:00.000Z#exec-1',
  organizationHour: `${ORGANIZATION}#2026-11-21T12#0`,
  failureHour: `${ORGANIZATION}#2026-11-21T12#0`,
  usernameHour: `${ORGANIZATION}#2026-11-21T12#0#ann#b`,
  organizationId: ORGANIZATION,
  neuronId: NEURON,
  executionId: 'exec-1',
  username: 'ann#b',
  outcome: 'refused',
  timeMs: 1_795_264_200_000,
  expiresAt: 1_795_264_200 + 90 * 86_400,
};
const CHANGE = {
  pk: 'CHANGES#acme',
  sk: `2026-11-21T12:30:00.000Z#chg-${(1_795_264_200_000).toString(36)}-0000000000000000`,
  id: `chg-${(1_795_264_200_000).toString(36)}-0000000000000000`,
  organization: 'acme',
  organizationId: ORGANIZATION,
  timeMs: 1_795_264_200_000,
  expiresAt: 1_795_264_200 + 365 * 86_400,
};
const OUTCOME = {
  pk: CHANGE.pk,
  sk: `${CHANGE.sk}#result`,
  organizationId: ORGANIZATION,
  expiresAt: CHANGE.expiresAt,
};

const OTHERS: Readonly<Record<string, (value: Json) => Json | undefined>> = {
  absent: () => undefined,
  foreign: (value) => (typeof value === 'number' ? { $number: '1e40' } : 'zzz'),
  earlier: (value) => (typeof value === 'number' ? value - 864_000_000 : earlier(value)),
  later: (value) => (typeof value === 'number' ? value + 864_000_000 : later(value)),
  huge: (value) => (typeof value === 'number' ? 9e15 : 'x'.repeat(2_000)),
};
const earlier = (value: Json) => String(value).replace('2026-11-21T12', '2026-11-11T12').concat('0');
const later = (value: Json) => String(value).replace('2026-11-21T12', '2026-12-01T12').concat('9');

const corpus = [CALL, CHANGE, OUTCOME].flatMap((item) =>
  Object.keys(item)
    .filter((name) => item !== OUTCOME || name === 'sk' || name === 'expiresAt')
    .flatMap((name) => Object.keys(OTHERS).map((how) => [name, how, item] as const)),
);

describe('an item of the log', () => {
  it.each([CALL, CHANGE, OUTCOME])('agrees with itself as the service puts it: $sk', (item) => {
    expect(findContradictions(item)).toEqual([]);
  });

  it.each(corpus)('is named with a %s that is %s', (name, how, item) => {
    const { [name]: value, ...rest } = item as Readonly<Record<string, Json>>;
    const other = OTHERS[how]?.(value ?? null);
    const forged = other === undefined ? rest : { ...rest, [name]: other };
    // A change of another organization agrees with itself: its chain is another.
    const isElsewhere = item === CHANGE && name === 'organizationId' && other !== undefined;
    expect(findContradictions(forged).length > 0).toBe(!isElsewhere);
  });
});
