// What is thrown while a request with values is served: a provider, a validator or a store whose error quotes all that it was called with.
// Nothing of it is in the answer, the log, its lines with their metrics, the spans, what is kept, or what the process writes.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ConfiguredProvider } from '../../../../core/flow/step.ts';
import { openGuarded } from './function.ts';

const MAIL = 'ann.lee@mail.example.com';
const CANARY = 'ann.lee';
const library = {
  pii: { type: 'pii', entities: ['email'] },
  form: { type: 'schema', schema: { type: 'string' } },
};
const BODIES = {
  native: { input: `I am ${MAIL}` },
  openai: { model: 'support', messages: [{ role: 'user', content: `I am ${MAIL}` }] },
  responses: { model: 'support', input: `I am ${MAIL}` },
  anthropic: { model: 'support', max_tokens: 99, messages: [{ role: 'user', content: `I am ${MAIL}` }] },
} as const;
const SURFACES = Object.keys(BODIES) as (keyof typeof BODIES)[];

class NoisyError extends Error {
  constructor(called: readonly unknown[]) {
    super(`failed for ${MAIL} with ${JSON.stringify(called)}`);
    this.name = `NoisyError ${MAIL}`;
    this.stack = `${this.message}\n    at ${MAIL}`;
  }
}

type Opened = ReturnType<typeof openGuarded>;

function breakMember(holder: object, name: string): void {
  const broken = async (...called: readonly unknown[]) => {
    throw new NoisyError(called);
  };
  Object.assign(holder, { [name]: broken });
}

/** Throws after so many events of a stream; whole, at once. */
function breakProvider(ports: Opened['ports'], after: number): void {
  const { providersOf } = ports;
  const broken = ({ provider, ...configured }: ConfiguredProvider): ConfiguredProvider => ({
    ...configured,
    provider: {
      ...provider,
      async generate(request) {
        throw new NoisyError([request]);
      },
      async *stream(request) {
        const text = { type: 'text', text: `To you, and to ${MAIL} ` } as const;
        for (let event = 0; event < after; event += 1) yield text;
        throw new NoisyError([request, text]);
      },
    },
  });
  Object.assign(ports, {
    providersOf: (...args: Parameters<typeof providersOf>) => {
      const find = providersOf(...args);
      return (name: string) => {
        const found = find(name);
        return found === undefined ? undefined : broken(found);
      };
    },
  });
}

/** The error code that the log must have, by what breaks. A break that fails no request has none. */
const CODES: Readonly<Record<string, string>> = {
  'a provider': 'internal',
  'a provider amid its answer': 'internal',
  'a lookup of providers': 'internal',
  'a validator': 'internal',
  'the counters': 'internal',
  'the secrets': 'dependency_unavailable',
  'the idempotency store': 'dependency_unavailable',
};

/** Each breaks one thing that a request needs. */
const BREAKS: Readonly<Record<string, (model: Opened) => void>> = {
  'a provider': ({ ports }) => breakProvider(ports, 0),
  'a provider amid its answer': ({ ports }) => breakProvider(ports, 1),
  'a lookup of providers': ({ ports }) =>
    Object.assign(ports, {
      providersOf: () => (name: string) => {
        throw new NoisyError([name]);
      },
    }),
  'a validator': ({ ports }) => breakMember(ports, 'validateJson'),
  'the read of the cache': ({ ports }) => breakMember(ports.responses, 'read'),
  'the write to the cache': ({ ports }) => breakMember(ports.responses, 'write'),
  'the log': ({ ports }) => breakMember(ports.logs, 'put'),
  'the counters': ({ ports }) => {
    breakMember(ports.counters, 'reserve');
    breakMember(ports.counters, 'settle');
  },
  'the secrets': ({ ports }) => breakMember(ports.secrets, 'read'),
  'the idempotency store': ({ ports }) => breakMember(ports, 'openIdempotency'),
  'the end of an idempotency key': ({ ports }) => {
    const { openIdempotency } = ports;
    Object.assign(ports, {
      openIdempotency: async () => {
        const store = await openIdempotency();
        breakMember(store, 'complete');
        return store;
      },
    });
  },
};

afterEach(() => vi.restoreAllMocks());

function watchOutput(): () => string {
  const written: unknown[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(text) > 0);
  for (const name of ['log', 'error', 'warn', 'info'] as const)
    vi.spyOn(console, name).mockImplementation((...texts) => void written.push(...texts));
  return () => written.map(String).join('\n');
}

const CASES = Object.keys(BREAKS).flatMap((broken) =>
  SURFACES.flatMap((surface) => [false, true].map((stream) => ({ broken, surface, stream }))),
);

describe('an error of', () => {
  it.each(CASES)('$broken quotes nothing by $surface, streamed: $stream', async (one) => {
    const { broken, surface, stream } = one;
    const output = watchOutput();
    const model = openGuarded(
      {
        library,
        guards: [
          { use: 'pii', on: ['input', 'output'], action: 'mask', fingerprints: true },
          { use: 'pii', on: ['output'], action: 'redact' },
          { use: 'form', on: ['output'], action: 'flag' },
        ],
        usageLimits: [{ metric: 'cost', limit: 5, period: 'day' }],
        prices: { 'model/m': { input: 1, output: 1 } },
        settings: { caching: { exact: true } },
      },
      () => ({ text: JSON.stringify(`To ${MAIL}`), size: 3 }),
    );
    BREAKS[broken]?.(model);
    const json = surface === 'native' ? BODIES.native : { ...BODIES[surface], stream };
    const form = { surface, stream: surface === 'native' && stream, idempotencyKey: 'one' };
    const { text, headers } = await model.call(json, form);
    const everything = [text, JSON.stringify(headers), model.kept(), ...model.asked, output()].join('\n');
    expect(everything).not.toContain(CANARY);
    expect(everything).not.toContain('NoisyError');
    expect(model.lines.join()).toContain('"_aws"');
    if (broken !== 'the log') expect(model.entries[0]?.code).toBe(CODES[broken]);
  });
});
