// What apply says of a neuron that is a tool of agents.
import { describe, expect, it } from 'vitest';
import { errors } from './validate-text.ts';

const FLOW = 'flow: [{ serveOutput: { text: a } }]';
const EMBED = 'flow: [{ embed: { provider: words, model: spelling, dimensions: 16 } }]';
const errorsOf = (access: string, flow: string) =>
  errors(
    `organization: acme\nproviders: { words: { type: lexical } }\n---\nneuron: acme/n\naccess: ${access}\nmcp: { description: Answers. }\n${flow}`,
  );

describe('a neuron that is a tool', () => {
  it.each(['{ apiKey: true }', '{ public: true }'])('may be called by whoever has a key: %s', (access) => {
    expect(errorsOf(access, FLOW)).toEqual([]);
  });

  it('takes API keys, which is all that its clients send', () => {
    expect(errorsOf('{ jwt: { jwks: [https://login.example.com/jwks] } }', FLOW)).toEqual([
      expect.stringContaining('mcp: is for callers with an API key, but access has no apiKey'),
    ]);
  });

  it('answers with a text', () => {
    expect(errorsOf('{ apiKey: true }', EMBED)).toEqual([
      expect.stringContaining(
        'mcp: is for neurons that answer with a text, and this one answers with vectors',
      ),
    ]);
  });
});
