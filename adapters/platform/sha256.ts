// Stands in for the SDK's checksums in the bundles: the signer needs SHA-256 alone, and Node always has it. The SDK brings a second
// one in JavaScript.
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

/** SHA-256, or HMAC-SHA-256 with a secret, by OpenSSL. One hash each. A class, because the signer calls it with `new`. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBytes(chunk));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('a hash of the signer is used once');
  }
}

function toBytes(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
