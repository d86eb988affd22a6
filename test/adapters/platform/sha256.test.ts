// The hash with which requests to AWS are signed, against the SDK's own.
import { Sha256Js } from '@smithy/core/checksum';
import { describe, expect, it } from 'vitest';
import { Sha256 } from '../../../adapters/platform/sha256.ts';

const BYTES = Uint8Array.from({ length: 300 }, (_, index) => index % 256);

const digestOf = async (hash: Sha256 | Sha256Js, chunks: readonly (string | ArrayBuffer | Uint8Array)[]) => {
  for (const chunk of chunks) hash.update(chunk as Uint8Array);
  return Buffer.from(await hash.digest()).toString('hex');
};

describe('the hash of the bundles', () => {
  it.each([
    ['nothing', []],
    ['text beyond ASCII', ['Grüße, 世界 🌍']],
    ['bytes in several chunks', [BYTES, BYTES.subarray(7, 120)]],
    ['text and bytes', ['a', BYTES]],
  ])("is the SDK's, of %s", async (_what, chunks) => {
    for (const secret of [undefined, 'text', BYTES, BYTES.subarray(3, 40)]) {
      expect(await digestOf(new Sha256(secret), chunks)).toBe(await digestOf(new Sha256Js(secret), chunks));
    }
  });

  it('takes an ArrayBuffer as its bytes', async () => {
    const { buffer } = BYTES;
    expect(await digestOf(new Sha256(buffer), [buffer])).toBe(await digestOf(new Sha256(BYTES), [BYTES]));
  });
});
