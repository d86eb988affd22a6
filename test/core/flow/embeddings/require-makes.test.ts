// Whether a neuron makes what a request asks for; the error names the route that is right.
import { describe, expect, it } from 'vitest';
import type { EmbeddingWish } from '../../../../core/conversation/conversation.ts';
import { requireMakes } from '../../../../core/flow/embeddings/require-makes.ts';
import { flowSchema } from '../../../../core/settings/flow-schema.ts';

const CHAT = flowSchema.parse([{ callModel: { provider: 'demo', model: 'm' } }]);
const flowOf = (more: object = {}) =>
  flowSchema.parse([{ embed: { provider: 'words', model: 'm', ...more } }]);
const TEXTS: EmbeddingWish = { inputs: ['one'], isSingle: true, dimensions: undefined };
const TOKENS: EmbeddingWish = { ...TEXTS, inputs: ['one', [1, 2]] };
const asked = { organization: 'acme', neuron: 'n', takesTokens: (name: string) => name === 'words' };

const check = (flow: typeof CHAT, wish: EmbeddingWish | undefined) => () => requireMakes(flow, wish, asked);
const rejection = (code: string, detail: string, param?: string) =>
  expect.objectContaining({ code, detail: expect.stringContaining(detail), param });

describe('a request', () => {
  it('passes where the neuron makes what it asks for', () => {
    expect(check(CHAT, undefined)).not.toThrow();
    expect(check(flowOf(), TEXTS)).not.toThrow();
    expect(check(flowOf(), TOKENS)).not.toThrow();
  });

  it('for a text is sent to the embeddings of a neuron that makes vectors', () => {
    expect(check(flowOf(), undefined)).toThrow(rejection('not_accepted', 'POST /v1/acme/n/embeddings'));
  });

  it('for vectors is sent to the conversations of a neuron that makes texts', () => {
    expect(check(CHAT, TEXTS)).toThrow(rejection('not_accepted', 'POST /v1/acme/n/chat/completions'));
  });

  it('has the dimensions of the neuron, or none', () => {
    const flow = flowOf({ dimensions: 8 });
    expect(check(flow, TEXTS)).not.toThrow();
    expect(check(flow, { ...TEXTS, dimensions: 8 })).not.toThrow();
    expect(check(flow, { ...TEXTS, dimensions: 9 })).toThrow(
      rejection('invalid_input', '"dimensions" must be 8', 'dimensions'),
    );
    expect(check(flowOf(), { ...TEXTS, dimensions: 9 })).not.toThrow();
  });

  it('has tokens only where every model that may be asked takes them, and names the cure', () => {
    const flow = flowOf({ fallbacks: [{ provider: 'aws', model: 'm' }] });
    expect(check(flow, TEXTS)).not.toThrow();
    expect(check(flow, TOKENS)).toThrow(
      rejection('not_accepted', 'check_embedding_ctx_length=False', 'input'),
    );
  });
});
