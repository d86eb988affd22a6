// Many calls in one process: each answer, entry, span, line, secret and limit belongs to its own call, whatever runs beside it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toSpans } from '../../../core/logs/traces/to-spans.ts';
import {
  anyCall,
  authorsIn,
  isShared,
  type ManyCall,
  markOf,
  marksIn,
  TOPICS,
  traceIdOf,
  wholeText,
} from './interleaved/calls.ts';
import {
  type Environment,
  executionIdOf,
  type ManyAnswer,
  openEnvironment,
} from './interleaved/environment.ts';
import { LIMIT, ORGANIZATIONS } from './interleaved/organizations.ts';
import { USED } from './interleaved/upstream.ts';

const CALLS = 64;
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 100) / 10;

it(
  '64 calls of eight organizations beside each other, on all surfaces, stay apart',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { minLength: CALLS, maxLength: CALLS }), async (calls) => {
        const environment = openEnvironment();
        const answers = await Promise.all(calls.map(environment.call));
        for (const [index, one] of calls.entries()) {
          const answer = answers[index];
          if (answer === undefined) throw new Error(`call ${index} has no answer`);
          expectOwnAnswer(one, index, answer);
          expectOwnRecords(one, index, answer, environment);
        }
        expectOwnSecrets(calls, environment);
        expectOwnRuns(calls, answers, environment);
        expectOwnLimits(calls, environment);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  60_000 + RUNS * 1_000,
);

/** Statuses of a limit, a key in use or used for another request, and a guard that blocks. */
const REJECTED: Readonly<Partial<Record<ManyCall['neuron'], readonly number[]>>> = {
  limited: [429],
  once: [400, 409, 422],
  served: [400, 422],
};

const onlyOwn = (index: number) => new Set([markOf(index)]);

function expectOwnAnswer(one: ManyCall, index: number, { status, text }: ManyAnswer): void {
  const whole = wholeText(text);
  const what = `answer ${index}: ${whole}`;
  expect(
    [...marksIn(whole)].filter((mark) => mark !== markOf(index)),
    what,
  ).toEqual([]);
  expect(
    [...authorsIn(whole)].filter((author) => author !== one.organization),
    what,
  ).toEqual([]);
  const mayFail = one.killedAfter === undefined ? [] : [503];
  expect([200, ...(REJECTED[one.neuron] ?? []), ...mayFail], what).toContain(status);
  if (status !== 200 || one.killedAfter !== undefined || one.leaves || one.surface === 'mcp') return;
  if (one.surface === 'embeddings') expect(whole).toContain(`[${index},0.5]`);
  else if (one.neuron === 'served' && one.isBad) expect(marksIn(whole)).toEqual(new Set());
  else if (isShared(one)) expect(whole).toContain(`topic ${one.topic} by-${one.organization}`);
  else expect(whole).toContain(`${markOf(index)}@mail.example.com by-${one.organization}`);
}

/** Entry, spans and lines. */
function expectOwnRecords(
  one: ManyCall,
  index: number,
  { status }: ManyAnswer,
  { entries, lines, asked }: Environment,
): void {
  const id = executionIdOf(index);
  const own = entries.filter(({ executionId }) => executionId === id);
  expect(own, `entries of ${index}`).toHaveLength(1);
  const [entry] = own;
  if (entry === undefined) return;
  const { organization, neuron } = one;
  expect(entry).toMatchObject({ organization, organizationId: organization, neuron });
  if (one.surface !== 'mcp') expect(entry.status).toBe(status);
  const marks = neuron === 'guarded' || isShared(one) ? new Set<string>() : onlyOwn(index);
  for (const record of [entry, toSpans(entry, true)]) {
    const text = JSON.stringify(record);
    expect(
      [...marksIn(text)].filter((mark) => !marks.has(mark)),
      text,
    ).toEqual([]);
    expect(
      [...authorsIn(text)].filter((author) => author !== organization),
      text,
    ).toEqual([]);
  }
  const spans = toSpans(entry);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(index)]));
  const told = asked.flatMap(({ kind, traceparent = '' }) =>
    kind !== 'guard' && traceparent.includes(traceIdOf(index)) ? [traceparent.split('-')[2]] : [],
  );
  expect(spans.map(({ spanId }) => spanId)).toEqual(expect.arrayContaining(told));
  const written = lines.filter((line) => line.includes(`"executionId":"${id}"`));
  expect(written.length, `lines of ${index}`).toBeGreaterThan(0);
  for (const line of written) {
    expect(line).toContain(`"organization":"${organization}"`);
    expect([...marksIn(line)]).toEqual([]);
  }
}

/** Requests that leave the process go under the organization's own secrets, with texts of its own calls. */
function expectOwnSecrets(calls: readonly ManyCall[], { asked }: Environment): void {
  for (const { kind, organization, host, body, traceparent } of asked) {
    expect(host).toBe(kind === 'guard' ? `guard.${organization}.example.com` : 'model.example.com');
    const senders = [...marksIn(body)].map((mark) => calls[Number(/\d+/.exec(mark)?.[0])]?.organization);
    expect(senders.filter((sender) => sender !== organization)).toEqual([]);
    if (kind === 'guard') continue;
    const sender = calls[Number.parseInt(traceparent?.split('-')[1] ?? '', 16) - 1];
    expect(sender?.organization).toBe(organization);
  }
}

/** One run for an idempotency key, and each repetition gets its answer. */
function expectOwnRuns(
  calls: readonly ManyCall[],
  answers: readonly ManyAnswer[],
  { asked }: Environment,
): void {
  for (const organization of ORGANIZATIONS) {
    for (let topic = 0; topic < TOPICS; topic += 1) {
      const same = calls.flatMap((one, index) =>
        one.organization === organization && one.neuron === 'once' && one.topic === topic
          ? [{ ...one, index }]
          : [],
      );
      const traces = new Set(same.map(({ index }) => traceIdOf(index)));
      const runs = asked.filter(({ traceparent }) => traces.has(traceparent?.split('-')[1] ?? ''));
      if (same.every(({ killedAfter }) => killedAfter === undefined))
        expect(runs.length, `${organization}, ${topic}`).toBe(Math.min(1, same.length));
      const answered = same.filter(({ index }) => answers[index]?.status === 200);
      if (same.length > 0 && same.every(({ killedAfter }) => killedAfter === undefined))
        expect(answered.length).toBeGreaterThan(0);
    }
  }
}

function expectOwnLimits(calls: readonly ManyCall[], { entries, counters }: Environment): void {
  for (const organization of ORGANIZATIONS) {
    const entriesOf = (neuron: string) =>
      entries.filter((entry) => entry.organization === organization && entry.neuron === neuron);
    const limited = entriesOf('limited');
    const admitted = limited.filter(({ code }) => code !== 'rate_limited').length;
    expect(admitted).toBe(Math.min(LIMIT, limited.length));
    const counts = [...counters.states].flatMap(([key, { counts: own }]) =>
      key.includes(`${organization}-counted`) ? [own.tokens ?? { taken: 0, held: 0 }] : [],
    );
    const taken = counts.reduce((sum, count) => sum + count.taken, 0);
    expect(counts.reduce((sum, count) => sum + count.held, 0)).toBe(0);
    const own = calls.filter((one) => one.organization === organization && one.neuron === 'counted');
    if (own.every(({ killedAfter, leaves }) => killedAfter === undefined && !leaves))
      expect(taken).toBe(own.length * USED.total_tokens);
  }
}
