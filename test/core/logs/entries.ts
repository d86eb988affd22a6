// Facts and entries for tests, plain and arbitrary.
import fc from 'fast-check';
import { ERROR_CODES, type ErrorCode } from '../../../core/contract/error-codes.ts';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import type { EntryFacts } from '../../../core/logs/build-entry.ts';
import { buildEntry } from '../../../core/logs/build-entry.ts';
import { anyText as anyCodePoints } from '../../support/any-text.ts';

/** 2026-11-21T12:30:00Z */
export const NOON_MS = 1_795_264_200_000;

/** The facts of a successful run with one model call; every text in it holds the word `secret`. */
export const FACTS: EntryFacts = {
  executionId: 'exec-1',
  timeMs: NOON_MS,
  subject: {
    organization: 'acme',
    organizationId: 'org-1',
    neuron: 'hello',
    neuronId: 'neu-1',
    retentionMs: 90 * 86_400_000,
  },
  caller: { sourceIp: '203.0.113.7', refererHost: 'app.example.com', username: 'ann', authentication: 'jwt' },
  code: undefined,
  latencyMs: 120,
  input: 'secret input',
  run: {
    version: 'v3',
    cache: 'off',
    executionStopped: false,
    output: 'secret output',
    trace: [
      { type: 'systemInstructions', atMs: 0, input: 'secret instructions' },
      { type: 'callModel', atMs: 1, input: 'secret prompt', output: 'secret answer' },
    ],
    modelCalls: [
      {
        provider: 'demo',
        model: 'm-1',
        modelVersion: 'm-1-2026',
        finish: 'stop',
        tokensInput: 3,
        tokensOutput: 5,
        costMicrodollars: 17,
        estimated: false,
        attempts: 1,
        latencyMs: 100,
      },
    ],
  },
};

/** An entry with its texts in full. */
export function entryOf(changes: Partial<EntryFacts> = {}): LogEntry {
  return buildEntry({ ...FACTS, ...changes }, (text) => ({
    kind: 'full',
    text,
    bytes: Buffer.byteLength(text),
  }));
}

/** Text of any kind, with what breaks lines, JSON and keys among it. */
export const anyText = fc.oneof(
  anyCodePoints(40),
  fc.string({
    unit: fc.constantFrom('\n', '\r', '\u2028', '\u2029', '\u0085', '"', '\\', '{', '#', '😀', '\ud800'),
    maxLength: 12,
  }),
  fc.constant('{"neuronEntry":1,'),
);

/** Facts of any request: refused, failed, run; by any caller. */
export const anyFacts: fc.Arbitrary<EntryFacts> = fc.record({
  executionId: fc.string({ minLength: 1, maxLength: 40 }),
  timeMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  subject: fc.constant(FACTS.subject),
  caller: fc.record({
    sourceIp: fc.ipV4(),
    refererHost: fc.option(fc.domain(), { nil: undefined }),
    username: fc.option(anyText, { nil: undefined }),
    keyId: fc.option(anyText, { nil: undefined }),
    authentication: fc.constantFrom('public', 'jwt', undefined),
  }),
  code: fc.option(fc.constantFrom(...(Object.keys(ERROR_CODES) as ErrorCode[])), { nil: undefined }),
  reason: fc.option(anyText, { nil: undefined }),
  latencyMs: fc.nat(),
  input: fc.option(anyText, { nil: undefined }),
  run: fc.option(fc.constant(FACTS.run!), { nil: undefined }),
  count: fc.integer({ min: 1, max: 1_000_000 }),
});
