// Replaces the SDK's checksums in the bundles: the signer needs only SHA-256, which Node has. The SDK would bring one in JavaScript.
import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';

/** SHA-256, or HMAC-SHA-256 with a secret, for one digest. A class, because the signer calls it with `new`. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toKey(secret));
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

// By the array of bytes, which nobody changes: the SDK keeps the key that it signs a day's requests with.
const keys = new WeakMap<object, KeyObject>();

/** Makes each `KeyObject` once: making one takes four times as long as an HMAC. A text needs none. */
function toKey(secret: string | ArrayBuffer | ArrayBufferView): string | KeyObject {
  if (typeof secret === 'string') return secret;
  const known = keys.get(secret);
  if (known !== undefined) return known;
  const key = createSecretKey(toBytes(secret));
  keys.set(secret, key);
  return key;
}

function toBytes(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
