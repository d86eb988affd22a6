// Splits by `stickyBy`: the same subject takes the same branch, nobody goes back while the percentage grows, and no random number is drawn.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import type { FlowCaller } from '../../../core/flow/step.ts';
import { branchAt, type StickySplit, stickyBranchOf } from '../../../core/flow/sticky-branch.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { BUCKETS, bucketOf } from '../../../core/text/subject-bucket.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { flowPorts } from './flow-ports.ts';

const CALLER: FlowCaller = {
  neuron: 'acme/support',
  username: 'ada',
  keyId: 'K1',
  sourceIp: '203.0.113.7',
  executionId: 'e1',
};
const SPLIT: StickySplit = { percentageA: 50, stickyBy: 'user', name: 'tone' };

async function run(members: object, caller: FlowCaller | undefined, count = 1) {
  const clock = createMemoryClock(0);
  const deadline = startDeadline(clock, 60_000);
  const one = { randomizedSplit: { percentageA: 50, stickyBy: 'user', ...members } };
  const flow = flowSchema.parse(Array.from({ length: count }, () => one));
  const random = {
    fraction(): number {
      throw new Error('drawn');
    },
  };
  const context = { conversation: conversationOf(''), username: 'ada', executionId: 'e', caller, deadline };
  const result = await runFlow(flow, context, flowPorts({ clock, random }));
  deadline.end();
  return result;
}

describe('a split by stickyBy', () => {
  it('takes the branch of the subject, whatever the execution, and draws no number', async () => {
    const branches = { a: [{ serveOutput: { text: 'A' } }], b: [{ serveOutput: { text: 'B' } }] };
    for (const executionId of ['e1', 'e2', 'e3']) {
      const result = await run({ name: 'tone', ...branches }, { ...CALLER, executionId });
      expect(result).toMatchObject({ output: 'A', trace: [{ type: 'randomizedSplit', decision: 'a' }, {}] });
    }
    const other = await run({ name: 'other', ...branches }, { ...CALLER, username: 'grace' });
    const expected = bucketOf('acme/support#other', 'user', 'grace') < 5_000 ? 'A' : 'B';
    expect(other).toMatchObject({ output: expected });
  });

  it('sends a caller to one branch in splits of one name', async () => {
    for (let index = 0; index < 50; index += 1) {
      const { trace } = await run({ name: 'tone' }, { ...CALLER, username: `user-${index}` }, 3);
      expect(new Set(trace.map(({ decision }) => decision)).size).toBe(1);
    }
  });

  it('ends a run that has no caller, rather than to draw', async () => {
    expect(await run({}, undefined)).toMatchObject({ kind: 'failed', rejection: { code: 'configuration' } });
  });

  it.each([
    ['user', CALLER, ['user', 'ada']],
    ['user', { ...CALLER, username: undefined }, ['key', 'K1']],
    ['user', { ...CALLER, username: undefined, keyId: undefined }, ['address', '203.0.113.7']],
    ['key', CALLER, ['key', 'K1']],
    ['key', { ...CALLER, keyId: undefined }, ['address', '203.0.113.7']],
    ['address', CALLER, ['address', '203.0.113.7']],
  ] as const)('by %s is by the subject that is there', (stickyBy, caller, [kind, subject]) => {
    const bucket = bucketOf('acme/support#tone', kind, subject);
    const at = (parts: number) => stickyBranchOf({ ...SPLIT, stickyBy, percentageA: parts / 100 }, caller);
    expect([at(bucket), at(bucket + 1)]).toEqual(['b', 'a']);
  });

  it('sends nobody from A to B while the percentage grows', () => {
    void fc.assert(
      fc.property(
        fc.string(),
        fc.option(fc.constantFrom('tone', 'x'), { nil: undefined }),
        fc.tuple(fc.nat(BUCKETS), fc.nat(BUCKETS)),
        (username, name, parts) => {
          const at = (part: number) =>
            stickyBranchOf({ ...SPLIT, name, percentageA: part / 100 }, { ...CALLER, username });
          return at(Math.min(...parts)) === 'b' || at(Math.max(...parts)) === 'a';
        },
      ),
      { seed: 39 },
    );
  });

  it.each([0.01, 10, 50, 97.5])('of %d percent has that share of 20,000 users on A', (percentageA) => {
    let taken = 0;
    for (let index = 0; index < 20_000; index += 1)
      if (stickyBranchOf({ ...SPLIT, percentageA }, { ...CALLER, username: `user-${index}` }) === 'a')
        taken += 1;
    // Four standard deviations of the binomial distribution.
    const share = percentageA / 100;
    expect(Math.abs(taken - 20_000 * share)).toBeLessThan(4 * Math.sqrt(20_000 * share * (1 - share)) + 1);
  });

  it.each([
    ['another name', { ...SPLIT, name: 'other' }, CALLER],
    ['no name', { ...SPLIT, name: undefined }, CALLER],
    ['another neuron', SPLIT, { ...CALLER, neuron: 'acme/other' }],
    ['another organization', SPLIT, { ...CALLER, neuron: 'globex/support' }],
  ])('is independent of that with %s', (_, split, caller) => {
    const users = Array.from({ length: 20_000 }, (_user, index) => `user-${index}`);
    const both = users.filter(
      (username) =>
        stickyBranchOf(SPLIT, { ...CALLER, username }) === 'a' &&
        stickyBranchOf(split, { ...caller, username }) === 'a',
    );
    expect(Math.abs(both.length - 5_000)).toBeLessThan(5 * Math.sqrt(20_000 * 0.25 * 0.75));
  });

  it('needs no rounding at any percentage with two decimals', () => {
    for (let parts = 0; parts <= BUCKETS; parts += 1) {
      const split = { percentageA: parts / 100 };
      expect(branchAt(split, parts)).toBe('b');
      if (parts > 0) expect(branchAt(split, parts - 1)).toBe('a');
    }
  });
});
