// Metadata and body of a streamed answer. Expected: API Gateway Developer Guide, "Set up a Lambda proxy integration with
// payload response streaming".
import { describe, expect, it } from 'vitest';
import { createStreamReader } from '../../integration/proxy.ts';

const NULLS = '\0'.repeat(8);

function readAll(pieces: readonly Buffer[]): { kinds: string; body: string; status: number | undefined } {
  const read = createStreamReader();
  const parts = pieces.map(read);
  const head = parts.find((part) => part.kind === 'head');
  return {
    kinds: [...new Set(parts.map(({ kind }) => kind))].join(' '),
    body: parts.map((part) => ('body' in part ? part.body.toString() : '')).join(''),
    status: head?.kind === 'head' ? head.head.status : undefined,
  };
}

describe('a streamed answer', () => {
  const bytes = Buffer.from(`{"statusCode":202}${NULLS}Hello\0${NULLS} World`);

  it('is the same wherever it was cut', () => {
    const expected = { body: `Hello\0${NULLS} World`, status: 202 };
    expect(readAll([bytes])).toMatchObject(expected);
    expect(readAll([...bytes].map((byte) => Buffer.from([byte])))).toMatchObject(expected);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(readAll([bytes.subarray(0, cut), bytes.subarray(cut)])).toMatchObject(expected);
    }
  });

  it('waits for the delimiter', () => {
    expect(readAll([Buffer.from('{"statusCode":202}'), Buffer.from('\0\0\0')]).kinds).toBe('more');
  });

  it('refuses invalid metadata, and everything after it', () => {
    expect(readAll([Buffer.from(`no${NULLS}`), bytes]).kinds).toBe('malformed');
  });

  it('refuses an answer without an end of its metadata', () => {
    expect(readAll([Buffer.alloc(65 * 1024, 'x')]).kinds).toBe('malformed');
  });
});
