// The sides of a rollout: the same caller stays on one, whatever the share, and the shares are what they say.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf as bucketByClient } from '../../../client/src/bucket.ts';
import { chooseArm } from '../../../core/rollouts/choose-arm.ts';
import { ROLLOUT_SUBJECTS } from '../../../core/settings/rollout-schema.ts';
import type { Rollout } from '../../../core/settings/stored-settings.ts';
import { BUCKETS, bucketOf, type SubjectKind } from '../../../core/text/subject-bucket.ts';

const rollout: Rollout = { id: '9f2c41d07ab35e68', candidate: 'v8', basisPoints: 500, by: 'user' };
const caller = { username: 'ada', keyId: 'K1', sourceIp: '203.0.113.7', executionId: 'e1' };

/** By Node's own hash, as docs/rollouts.md says it in words. */
function bucketByHand(...parts: readonly string[]): number {
  const text = `3:${parts.map((part) => `${JSON.stringify(part).length}:${JSON.stringify(part)}`).join('')}`;
  return Number(createHash('sha256').update(text).digest().readBigUInt64BE() % 10_000n);
}

/** The table of the page: salt, kind, subject and bucket. */
const VECTORS = [
  ...readFileSync('docs/rollouts.md', 'utf8').matchAll(
    /^\| `(.+)` \| (user|key|address|request) \| `(.+)` \| (\d+) \|$/gm,
  ),
].map(
  ([, salt = '', kind, subject = '', bucket]) =>
    [salt, kind as SubjectKind, subject, Number(bucket)] as const,
);

describe('the bucket of a subject', () => {
  it.each(VECTORS)(
    'of %s by %s "%s" is %i: on the page, here, in the client and by hand',
    async (...vector) => {
      const [salt, kind, subject, bucket] = vector;
      expect(bucketOf(salt, kind, subject)).toBe(bucket);
      expect(await bucketByClient(salt, kind, subject)).toBe(bucket);
      expect(bucketByHand(salt, kind, subject)).toBe(bucket);
    },
  );

  it('has vectors on the page for each kind, for rollouts and for splits', () => {
    expect(new Set(VECTORS.map(([, kind]) => kind))).toEqual(new Set(ROLLOUT_SUBJECTS));
    expect(VECTORS.filter(([salt]) => salt.includes('#')).length).toBeGreaterThan(2);
    expect(VECTORS.filter(([salt]) => !salt.includes('#')).length).toBeGreaterThan(4);
  });

  it('is that of the client and that by hand, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...ROLLOUT_SUBJECTS),
        fc.string({ unit: 'binary' }),
        async (salt, kind, subject) => {
          const bucket = bucketOf(salt, kind, subject);
          expect(await bucketByClient(salt, kind, subject)).toBe(bucket);
          expect(bucketByHand(salt, kind, subject)).toBe(bucket);
        },
      ),
      { seed: 39 },
    );
    const [high, low] = ['\ud83d', '\ude00'];
    for (const subject of [high, low, `${low}${high}`, '\u2028', '\0'])
      expect(await bucketByClient('s', 'user', subject)).toBe(bucketOf('s', 'user', subject));
    expect(bucketOf('s', 'user', high)).not.toBe(bucketOf('s', 'user', low));
  });

  it.each([
    [rollout.id, 'user'],
    [rollout.id, 'request'],
    ['acme/support#tone', 'user'],
    ['acme/support#', 'address'],
  ] as const)('is uniform for %s by %s: 100,000 subjects in 100 bins of equal size', (salt, kind) => {
    const bins = new Array<number>(100).fill(0);
    for (let subject = 0; subject < 100_000; subject += 1) {
      const bin = Math.floor(bucketOf(salt, kind, `${kind}-${subject}`) / 100);
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
      { seed: 39 },
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
