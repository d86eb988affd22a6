// Vectors as bytes: numbers of 32 bits, the least significant byte first, in base64 (RFC 4648, section 4).
import { createHash } from 'node:crypto';

const BYTES = 4;

/** In base64. */
export function encodeFloat32(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * BYTES);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * BYTES);
  return bytes.toString('base64');
}

/** Undefined for a text that no vector of finite numbers encodes to. */
export function decodeFloat32(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % BYTES !== 0 || bytes.toString('base64') !== text) return undefined;
  const vector = new Float32Array(bytes.length / BYTES);
  for (const at of vector.keys()) vector[at] = bytes.readFloatLE(at * BYTES);
  return vector.every((value) => Number.isFinite(value)) ? vector : undefined;
}

/** The vectors for the log: their number and length, and a digest by which an answer can be recognized. */
export function describeVectors(vectors: readonly Float32Array[]): string {
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of vectors)
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  const count = vectors.length === 1 ? '1 vector' : `${vectors.length} vectors`;
  return `${count} of ${vectors[0]?.length ?? 0} numbers, SHA-256 ${hash.digest('hex')}`;
}
