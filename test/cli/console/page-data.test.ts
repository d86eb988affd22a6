// What pages make of the data before they draw it.
import { describe, expect, it } from 'vitest';
import type { SeriesPoint } from '../../../cli/console/api.ts';
import { actionsOf, groupChanges, messageOf } from '../../../console/data/change-groups.ts';
import { chooseRange } from '../../../console/data/range.ts';
import type { ChangeValue } from '../../../console/data/values.ts';

const NOW_MS = Date.parse('2026-11-28T12:00:00Z');

function changeAt(secondsAgo: number, values: Partial<ChangeValue> = {}): ChangeValue {
  return {
    id: `chg-${secondsAgo}-${JSON.stringify(values)}`,
    timeMs: NOW_MS - secondsAgo * 1_000,
    time: '',
    by: 'ann',
    actions: ['deploy'],
    organization: 'acme',
    organizationId: '1',
    neuron: 'support',
    neuronId: '2',
    before: null,
    after: null,
    expiresAt: 0,
    outcome: 'made',
    ...values,
  };
}

describe('groups of changes', () => {
  const created = { actions: ['create_version'], after: { version: 'v2', message: 'softer' } } as const;

  it('hold the writes of one command about one neuron, in their order, with the message', () => {
    const groups = groupChanges([changeAt(10), changeAt(10.1, created), changeAt(60)]);
    expect(groups.map(actionsOf)).toEqual(['create version, deploy', 'deploy']);
    expect(groups.map(messageOf)).toEqual(['softer', null]);
  });

  it.each([
    ['another author', { by: 'bo' }],
    ['another neuron', { neuron: 'other' }],
    ['another organization', { organization: 'other' }],
    ['another outcome', { outcome: 'failed' }],
    ['another action', { actions: ['clear_cache'] }],
    ['more than a version', { actions: ['create_version', 'deploy'] }],
  ] as const)('hold nothing of %s', (_name, values) => {
    expect(groupChanges([changeAt(10), changeAt(10, { ...created, ...values })])).toHaveLength(2);
  });

  it('hold nothing of five seconds before', () => {
    expect(groupChanges([changeAt(10), changeAt(14.9, created)])).toHaveLength(1);
    expect(groupChanges([changeAt(10), changeAt(15, created)])).toHaveLength(2);
  });

  it('keep every change once', () => {
    const changes = [0, 1, 2, 3, 20].map((seconds) => changeAt(seconds));
    expect(groupChanges(changes).flatMap((group) => group.changes)).toEqual(changes);
  });
});

describe('the range of the overview', () => {
  const HOUR_MS = 3_600_000;
  const pointAt = (hoursAgo: number, values: Partial<SeriesPoint> = {}): SeriesPoint => ({
    timeMs: NOW_MS - hoursAgo * HOUR_MS,
    success: 0,
    stopped: 0,
    failed: 0,
    refused: 0,
    cacheHits: 0,
    tokensInput: 0,
    tokensOutput: 0,
    costMicrodollars: 0,
    p50Ms: null,
    p99Ms: null,
    ...values,
  });

  it.each([
    [0.5, '1h'],
    [1, '1h'],
    [1.1, '6h'],
    [6, '6h'],
    [6.1, '24h'],
    [23, '24h'],
  ])('of calls since %s hours is %s', (hoursAgo, range) => {
    for (const outcome of ['success', 'stopped', 'failed', 'refused'] as const) {
      const points = [pointAt(23.9), pointAt(hoursAgo, { [outcome]: 1 }), pointAt(0.1, { success: 1 })];
      expect(chooseRange({ entries: 2, points, toMs: NOW_MS })).toBe(range);
    }
  });

  it('without calls in the day is the week', () => {
    expect(chooseRange({ entries: 0, points: [pointAt(3)], toMs: NOW_MS })).toBe('7d');
  });
});
