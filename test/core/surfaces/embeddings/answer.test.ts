// Vectors as clients read them, from both encodings.
import { describe, expect, it } from 'vitest';
import { EMBEDDINGS } from '../../../../core/surfaces/embeddings/index.ts';
import type { EmbeddingsInvocation } from '../../../../core/surfaces/embeddings/parse.ts';
import type { RunResult } from '../../../../core/surfaces/surface.ts';
import { decodeFloat32, describeVectors, encodeFloat32 } from '../../../../core/text/float32.ts';

const RESULT: RunResult = {
  output: 'not shown',
  executionStopped: false,
  cache: 'miss',
  usage: { input: 9, output: 0 },
  vectors: [Float32Array.of(0.1, -1, 3.4e38), Float32Array.of(1e-45, 0, 2)],
};

function render(
  encoding: 'float' | 'base64',
  result: Partial<RunResult> = {},
  leftOut: readonly string[] = [],
) {
  const invocation = { form: { model: 'acme/vectors', encoding } } as EmbeddingsInvocation;
  const detail = { executionId: 'e1', timeMs: 0, invocation, leftOut };
  const answer = EMBEDDINGS.renderAnswer({ ...RESULT, ...result }, detail);
  return { ...answer, body: JSON.parse(answer.body) };
}

describe('an answer of embeddings', () => {
  it('is a list in order, with its tokens', () => {
    const { status, headers, body } = render('float', {}, ['user', 'foo']);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'X-Execution-Id': 'e1',
      'X-Request-Id': 'e1',
      'X-Cache': 'miss',
      'X-Neuron-Left-Out': 'user, foo',
    });
    expect(body).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.100000001, -1, 3.39999995e38] },
        { object: 'embedding', index: 1, embedding: [1.4012984600000001e-45, 0, 2] },
      ],
      model: 'acme/vectors',
      usage: { prompt_tokens: 9, total_tokens: 9 },
    });
  });

  it('gives every number back as it was, in either encoding', () => {
    for (const encoding of ['float', 'base64'] as const) {
      const read = render(encoding).body.data.map(({ embedding }: { embedding: string | number[] }) =>
        // By Node's own reader, as a client in Python reads `np.frombuffer(…, dtype="<f4")`.
        typeof embedding === 'string'
          ? Array.from({ length: 3 }, (_, at) => Buffer.from(embedding, 'base64').readFloatLE(at * 4))
          : embedding.map(Math.fround),
      );
      expect(read).toEqual(RESULT.vectors?.map((vector) => [...vector]));
    }
  });

  it('names nothing that was left out where nothing was, and no tokens for what was cached', () => {
    const { headers, body } = render('float', { cache: 'exact', usage: { input: 0, output: 0 } });
    expect(headers).not.toHaveProperty('X-Neuron-Left-Out');
    expect(headers['X-Cache']).toBe('hit');
    expect(body.usage).toEqual({ prompt_tokens: 0, total_tokens: 0 });
  });

  it('has errors in the form of OpenAI, which speak of texts', () => {
    const error = EMBEDDINGS.renderError('malformed_json', {});
    expect(error.status).toBe(400);
    expect(JSON.parse(error.body).error.message).toContain('"input":"text"');
    expect(() => EMBEDDINGS.createEncoder({} as never)).toThrow();
  });
});

describe('a vector in base64', () => {
  it('is little-endian', () => {
    // 1.0 is 0x3F800000 (IEEE 754).
    expect(encodeFloat32(Float32Array.of(1))).toBe(Buffer.from([0, 0, 0x80, 0x3f]).toString('base64'));
  });

  it.each(['', 'AAAA', '!!!!', 'AACAPw', Buffer.from([0, 0, 0x80, 0x7f]).toString('base64')])(
    'is not read from %j',
    (text) => {
      expect(decodeFloat32(text)).toBeUndefined();
    },
  );

  it('reads back as it was written', () => {
    const vector = Float32Array.of(0.1, -2.5, 1e-40);
    expect(decodeFloat32(encodeFloat32(vector))).toEqual(vector);
  });

  it('is described by number, length and digest', () => {
    // printf '\0\0\x80\x3f' | sha256sum
    expect(describeVectors([Float32Array.of(1)])).toBe(
      '1 vector of 1 numbers, SHA-256 e00e5eb9444182f352323374ef4e08ebcb784725fdd4fd612d7730540b3e0c8c',
    );
    expect(describeVectors([Float32Array.of(1, 0), Float32Array.of(0, 1)])).toMatch(
      /^2 vectors of 2 numbers, /,
    );
  });
});
