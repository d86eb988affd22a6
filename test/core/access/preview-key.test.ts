// Preview keys: what opens a version, and what is kept of them.
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  mintPreviewKey,
  opensVersion,
  previewedVersion,
  withPreviewKey,
} from '../../../core/access/preview-key.ts';
import type { PreviewKeys } from '../../../core/settings/stored-settings.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';

let key: string;
let keys: PreviewKeys;
let digest: string;
// Within the tests, not when the file loads: only then is a fault in minting a failure of a test.
beforeEach(() => {
  ({ key, digest } = mintPreviewKey(createMemoryRandom(3)));
  keys = { v3: digest };
});

describe('a preview key', () => {
  it('is 192 random bits that are fit for a header and a URL, and is kept as its SHA-256', () => {
    expect(key).toMatch(/^nrp_[A-Za-z0-9_-]{32}$/);
    expect(digest).toBe(createHash('sha256').update(key).digest('hex'));
    expect(mintPreviewKey(createMemoryRandom(4)).key).not.toBe(key);
  });

  it('opens its version, also when header and query both carry it', () => {
    expect(opensVersion(keys, 'v3', [key])).toBe(true);
    expect(opensVersion(keys, 'v3', [key, key])).toBe(true);
  });

  it.each([
    ['no key', 'v3', () => []],
    ['an empty key', 'v3', () => ['']],
    ['another key', 'v3', () => [`${key}x`]],
    ['the digest in place of the key', 'v3', () => [digest]],
    ['a wrong key beside the right one', 'v3', () => [key, 'nrp_wrong']],
    ['a version without a key', 'v2', () => [key]],
    ['a version without a key and none given', 'v2', () => []],
    ['a version named like a member of every object', '__proto__', () => [key]],
    ['a version named like a method of every object', 'constructor', () => [key]],
  ])('refuses %s', (_what, version, input) => {
    expect(opensVersion(keys, version, input())).toBe(false);
  });

  it.each(['', 'ab', 'zz'.repeat(32)])(
    'refuses everything where %j is stored in place of a digest',
    (stored) => {
      expect(opensVersion({ v3: stored }, 'v3', [key])).toBe(false);
      expect(opensVersion({ v3: stored }, 'v3', [''])).toBe(false);
    },
  );
});

describe('the keys of a neuron', () => {
  it('hold one for each version, the newest made', () => {
    expect(withPreviewKey({ v1: 'a', v2: 'b' }, 'v1', 'c')).toEqual({ v1: 'c', v2: 'b' });
  });

  it('are a hundred at most: the oldest version loses its key', () => {
    const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`v${index + 1}`, 'd']));
    const next = withPreviewKey(hundred, 'v101', 'e');
    expect(Object.keys(next)).toHaveLength(100);
    expect(next).not.toHaveProperty('v1');
    expect(next).toMatchObject({ v2: 'd', v100: 'd', v101: 'e' });
  });
});

describe('the version that a path names', () => {
  it('is there for its key', () => {
    expect(previewedVersion('v3', [key], { previewKeys: keys })).toBe('v3');
  });

  it.each([
    ['another key', 'v3', 'nrp_wrong'],
    ['a version without a key', 'v2', undefined],
    ['a name that is no version', 'V3', undefined],
  ])('refuses %s, with one error', (_what, revision, input) => {
    expect(() =>
      previewedVersion(revision, [input ?? key], { previewKeys: { ...keys, V3: digest } }),
    ).toThrow(expect.objectContaining({ code: 'revision_not_found' }));
  });
});
