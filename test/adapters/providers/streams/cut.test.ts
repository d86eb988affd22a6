// A recorded stream of each protocol, broken at every byte in every way: the answer is whole, or there is a failure in place of its end.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ProviderFailure } from '../../../../core/ports/providers.ts';
import { someOf } from '../../../support/every-case.ts';
import { type Outcome, type StreamedAnswer, take } from '../stream-http.ts';
import { BREAKS } from './breaks.ts';
import { open, PROTOCOLS, type Protocol, readBody } from './protocols.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

/** Breaks off: gives up a stream that stalls, as whoever waits for it does in the end. */
async function outcomeOf(protocol: Protocol, answer: StreamedAnswer): Promise<Outcome> {
  const options = new AbortController();
  return readBody(protocol, { ...answer, onStall: () => options.abort() }, options.signal);
}

const isWhole = ({ events }: Outcome) => events.at(-1)?.type === 'end';

/** What is wrong with an outcome that may be whole, or a failure of one of these kinds; plain code, for thousands of them. */
function problemOf(outcome: Outcome, wholeText: string, kinds: readonly string[]): string | undefined {
  const { events, text, thrown } = outcome;
  if (isWhole(outcome))
    return text === wholeText && thrown === undefined ? undefined : 'a short answer that ended';
  if (!(thrown instanceof ProviderFailure)) return 'no failure';
  if (!kinds.includes(thrown.kind)) return `a failure of the kind ${thrown.kind}`;
  return events.every(({ type }) => type === 'text') ? undefined : 'an event that is no text';
}

function expectFailure(outcome: Outcome): void {
  expect(isWhole(outcome)).toBe(false);
  expect(problemOf(outcome, '', ['truncated'])).toBeUndefined();
}

describe.each(PROTOCOLS)('a recorded stream of $name', (protocol) => {
  const { recorded, recordedText } = protocol;
  const every = Array.from({ length: recorded.length }, (_, at) => at);
  const positions = someOf(every, 5);

  it('is a whole answer, in one piece, cut in two at every byte, and byte by byte', async () => {
    const whole = await outcomeOf(protocol, { pieces: [recorded] });
    expect(whole).toMatchObject({ text: recordedText, thrown: undefined });
    expect(isWhole(whole)).toBe(true);
    const expected = JSON.stringify(whole.events);
    const different: number[] = [];
    for (const at of positions) {
      const pieces = [recorded.subarray(0, at), recorded.subarray(at)];
      const { events } = await outcomeOf(protocol, { pieces });
      if (JSON.stringify(events) !== expected) different.push(at);
    }
    expect(different).toEqual([]);
    const bytes = every.map((at) => recorded.subarray(at, at + 1));
    expect((await outcomeOf(protocol, { pieces: bytes })).events).toEqual(whole.events);
  });

  it.each(Object.keys(BREAKS))(
    'fails at every byte by %s, unless nothing of the answer is missing',
    async (name) => {
      const kinds = name === 'stall' ? ['timeout'] : ['truncated'];
      const problems: string[] = [];
      let failures = 0;
      for (const at of positions) {
        const outcome = await outcomeOf(protocol, BREAKS[name]!(recorded.subarray(0, at), protocol));
        const problem = problemOf(outcome, recordedText, kinds);
        if (problem !== undefined) problems.push(`${at}: ${problem}`);
        if (!isWhole(outcome)) failures += 1;
      }
      expect(problems).toEqual([]);
      // A body that ends, or goes on, behind the reason for which the model stopped has lost nothing of its text.
      expect(failures).toBeGreaterThan(positions.length * 0.75);
      if (name === 'reset' || name === 'stall') expect(failures).toBe(positions.length);
    },
  );

  it('says what had been reported of usage', async () => {
    const beginning = recorded.subarray(0, recorded.length - 1);
    const { thrown } = await outcomeOf(protocol, { pieces: [beginning], failure: 'cut' });
    const usage = {
      openai: { input: 12, output: 5, cachedInput: 0, reasoning: 0 },
      anthropic: { input: 13, output: 5 },
      // Their usage is in the last event.
      'openai-responses': undefined,
      bedrock: undefined,
    };
    expect(thrown).toMatchObject({ kind: 'truncated', status: 200, usage: usage[protocol.name] });
  });

  it('fails with what the provider says where it ends by an error', async () => {
    const { thrown } = await outcomeOf(protocol, { pieces: [protocol.error] });
    expect(thrown).toMatchObject({ kind: 'truncated', status: 200 });
    const explanations = {
      openai: { code: 'overloaded', message: 'Overloaded.' },
      'openai-responses': { code: 'server_error', message: 'Overloaded.' },
      anthropic: { code: 'overloaded_error', message: 'Overloaded' },
      bedrock: { code: 'throttlingException', message: 'Too many requests' },
    };
    expect((thrown as ProviderFailure).explanation).toEqual(explanations[protocol.name]);
  });

  it('fails where JSON comes in its place: an error, cut at every byte or whole', async () => {
    const body = Buffer.from(protocol.jsonError);
    const headers = { 'content-type': 'application/json' };
    for (let at = 0; at <= body.length; at += 1) {
      const outcome = await take(open(protocol, { headers, pieces: [body.subarray(0, at)] }).stream());
      expectFailure(outcome);
      // The same as a stream.
      expectFailure(await outcomeOf(protocol, { pieces: [body.subarray(0, at)] }));
    }
    const { thrown } = await take(open(protocol, { headers, pieces: [body] }).stream());
    expect((thrown as ProviderFailure).explanation.message).toMatch(/Overloaded|Too many requests/);
    const cut = open(protocol, { headers, pieces: [body], failure: 'cut' });
    expectFailure(await take(cut.stream()));
  });
});

describe('a recorded stream of bedrock', () => {
  it('fails with any byte changed: both checksums are verified', async () => {
    const protocol = PROTOCOLS.find(({ name }) => name === 'bedrock')!;
    for (let at = 0; at < protocol.recorded.length; at += 1) {
      const changed = Buffer.from(protocol.recorded);
      changed[at]! ^= 1 << (at % 8);
      expectFailure(await outcomeOf(protocol, { pieces: [changed] }));
    }
  });
});
