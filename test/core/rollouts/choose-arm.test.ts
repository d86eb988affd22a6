// The sides of a rollout: the same caller stays on one, whatever the share, and the shares are what they say.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUCKETS, bucketOf, chooseArm } from '../../../core/rollouts/choose-arm.ts';
import { ROLLOUT_SUBJECTS } from '../../../core/settings/rollout-schema.ts';
import type { Rollout } from '../../../core/settings/stored-settings.ts';

const rollout: Rollout = { id: '9f2c41d07ab35e68', candidate: 'v8', basisPoints: 500, by: 'user' };
const caller = { username: 'ada', keyId: 'K1', sourceIp: '203.0.113.7', executionId: 'e1' };

/** By Node's own hash, as docs/rollouts.md says it in words. */
function bucketByHand(...parts: readonly string[]): number {
  const text = `3:${parts.map((part) => `${JSON.stringify(part).length}:${JSON.stringify(part)}`).join('')}`;
  return Number(createHash('sha256').update(text).digest().readBigUInt64BE() % 10_000n);
}

describe('the bucket of a subject', () => {
  it.each([
    ['9f2c41d07ab35e68', 'user', 'ada'],
    ['9f2c41d07ab35e68', 'key', 'ada'],
    ['9f2c41d07ab35e68', 'address', '2001:db8::7'],
    ['0000000000000000', 'request', 'e1'],
    ['0000000000000000', 'user', 'Jürgen "J" \\ 😀'],
  ] as const)('of %s by %s "%s" is that of the page, and of another implementation', (id, kind, subject) => {
    const bucket = bucketOf(id, kind, subject);
    expect(bucket).toBe(bucketByHand(id, kind, subject));
    const row = `| \`${id}\` | ${kind} | \`${subject}\` | ${bucket} |`;
    expect(readFileSync('docs/rollouts.md', 'utf8')).toContain(row);
  });

  it('is uniform: 100,000 subjects in 100 bins of equal size', () => {
    const bins = new Array<number>(100).fill(0);
    for (let subject = 0; subject < 100_000; subject += 1) {
      const bin = Math.floor(bucketOf(rollout.id, 'user', `user-${subject}`) / 100);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    const chiSquare = bins.reduce((sum, count) => sum + (count - 1_000) ** 2 / 1_000, 0);
    // The 99.9th percentile with 99 degrees of freedom is 148.2 (NIST/SEMATECH e-Handbook, 1.3.6.7.4).
    expect(chiSquare).toBeLessThan(148.2);
  });

  it('is independent of that in another rollout', () => {
    const both = Array.from({ length: 20_000 }, (_, index) => `user-${index}`).filter(
      (subject) => bucketOf('a', 'user', subject) < 5_000 && bucketOf('b', 'user', subject) < 5_000,
    );
    // A quarter, within five standard deviations.
    expect(Math.abs(both.length - 5_000)).toBeLessThan(5 * Math.sqrt(20_000 * 0.25 * 0.75));
  });
});

describe('the arm of a caller', () => {
  it('never changes back while the share grows', () => {
    void fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom(...ROLLOUT_SUBJECTS),
        fc.tuple(fc.nat(BUCKETS), fc.nat(BUCKETS)),
        (username, by, shares) => {
          const [less, more] = [Math.min(...shares), Math.max(...shares)];
          const at = (basisPoints: number) =>
            chooseArm({ ...rollout, by, basisPoints }, { ...caller, username }).arm;
          return at(less) === 'control' || at(more) === 'candidate';
        },
      ),
    );
  });

  it.each([
    [0, 'control'],
    [BUCKETS, 'candidate'],
  ] as const)('at %i basis points is %s for everybody', (basisPoints, arm) => {
    for (let index = 0; index < 1_000; index += 1)
      expect(chooseArm({ ...rollout, basisPoints }, { ...caller, username: `user-${index}` }).arm).toBe(arm);
  });

  it.each([
    ['user', caller, ['user', 'ada']],
    ['user', { ...caller, username: undefined }, ['key', 'K1']],
    ['user', { ...caller, username: undefined, keyId: undefined }, ['address', '203.0.113.7']],
    ['key', caller, ['key', 'K1']],
    ['key', { ...caller, keyId: undefined }, ['address', '203.0.113.7']],
    ['address', caller, ['address', '203.0.113.7']],
    ['request', caller, ['request', 'e1']],
  ] as const)('by %s is that of the subject which is there', (by, who, [kind, subject]) => {
    const bucket = bucketOf(rollout.id, kind, subject);
    const at = (basisPoints: number) => chooseArm({ ...rollout, by, basisPoints }, who).arm;
    expect([at(bucket), at(bucket + 1)]).toEqual(['control', 'candidate']);
  });
});
