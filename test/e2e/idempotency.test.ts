// Idempotency keys over real HTTP: one run and one charge for a key, whatever fails, and nobody gets the answer of another.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fault, ServiceCall } from '../faults/faulty-service.ts';
import { type AccessStack, startAccessStack } from './support/access-stack.ts';
import type { Answer, CallOptions } from './support/call.ts';
import { expectError } from './support/expect-answer.ts';
import { type GatedModel, startGatedModel } from './support/gated-model.ts';
import {
  idempotencySettings,
  idOf,
  isReplay,
  expectRepeated as repeat,
  type SendKeyed,
  sendKeyed,
} from './support/keyed-calls.ts';
import { descendantsOf, stillRunning } from './support/processes.ts';
import { COMPUTE, isLocal } from './support/stack.ts';
import { ACCEPT_STREAM, parseEvents, textOf } from './support/stream-call.ts';
import { findEntry } from './support/tables.ts';

const ENVIRONMENTS = 8;
const CALLERS = 100;
/** Where callers are all in one process, the store's second does not suffice on a busy machine. */
const BUSY = COMPUTE === 'shared' ? ['rate_limited', 'dependency_unavailable'] : ['overloaded'];

const CHAT = '/v1/acme/hello/chat/completions';
const chat = (more: object = {}) => ({
  json: { model: 'hello', messages: [{ role: 'user', content: 'Hello' }], ...more },
});

describe.runIf(isLocal)('a call with an idempotency key', () => {
  let gate: GatedModel;
  let access: AccessStack;

  beforeAll(async () => {
    gate = await startGatedModel();
    access = await startAccessStack({
      settings: idempotencySettings(gate.baseUrl),
      concurrency: ENVIRONMENTS,
      trustForwardedFor: true,
    });
  });
  afterAll(async () => {
    await access?.stop();
    await gate?.stop();
  });

  afterEach(() => access?.tables.injectFaults(() => undefined));
  const send: SendKeyed = (path, key, options) => sendKeyed(access.stack, path, key, options);
  const expectRepeated = (path: string, options?: CallOptions) => repeat(send, path, options);
  const running = () => expect.poll(gate.waiting, { timeout: 30_000 }).toBe(1);
  const functionsOf = () => descendantsOf(access.stack.pid).filter(({ command }) => /boot\.ts/.test(command));

  it(`runs once and is charged once for ${CALLERS} callers at once, who all get the same answer`, async () => {
    const key = randomUUID();
    const before = gate.calls();
    const seen = new Set<string>();
    /** Calls again as clients do, for as long as it is told to. */
    const caller = async (): Promise<Answer> => {
      for (;;) {
        const answer = await send('/acme/once', key);
        seen.add(`${answer.status}`);
        if (answer.status === 200) return answer;
        // Beyond the environments that there are callers find none; one for all of them bounds how often a key is repeated.
        expect(['idempotency_in_progress', ...BUSY]).toContain(answer.json()['code']);
        if (answer.status !== 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
        await sleep(1_000);
      }
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, caller));
    await running();
    await expect.poll(() => seen.has('409'), { timeout: 30_000 }).toBe(true);
    gate.open();
    const answers = await callers;
    expect(new Set(answers.map(({ text }) => text))).toEqual(
      new Set(['{"output":"Yes.","fromCache":false,"executionStopped":false}']),
    );
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(gate.calls() - before).toBe(1);
    const limits = await access.stack.operate(['limits', 'acme/once', '--json']);
    expect(JSON.parse(limits.split('\n')[0] ?? '')).toMatchObject({ metric: 'requests', used: 1, limit: 50 });
    expect(functionsOf().length).toBeGreaterThan(COMPUTE === 'shared' ? 0 : ENVIRONMENTS / 2);
  }, 120_000);

  it('whose run is killed finds its key free when its deadline has passed, and not before', async () => {
    const key = randomUUID();
    const before = gate.calls();
    const killed = send('/acme/brief', key);
    await running();
    const processes = functionsOf();
    for (const { pid } of processes) process.kill(pid, 'SIGKILL');
    await killed;
    await expect.poll(() => stillRunning(processes)).toEqual([]);
    const codes: unknown[] = [];
    const again = async () => {
      const pending = send('/acme/brief', key);
      for (;;) {
        const answer = await Promise.race([pending, sleep(50)]);
        // The one that runs waits for the model, as the one that was killed does still.
        if (gate.waiting() === 2) return 'runs';
        if (answer === undefined) continue;
        codes.push(answer.json()['code']);
        return answer.status;
      }
    };
    await expect.poll(again, { timeout: 30_000 }).toBe('runs');
    gate.open();
    expect(codes).toContain('idempotency_in_progress');
    expect(gate.calls() - before).toBe(2);
    await expect.poll(async () => isReplay(await send('/acme/brief', key)), { timeout: 20_000 }).toBe(true);
    expect(gate.calls() - before).toBe(2);
  }, 90_000);

  /** Faults of what is done with leases and answers; the calls that had one. */
  function breakRecords(fault: Fault, isMeant: (call: ServiceCall) => boolean = () => true): ServiceCall[] {
    const calls: ServiceCall[] = [];
    access.tables.injectFaults((call) => {
      if (!call.body.includes('"I#') || !isMeant(call)) return undefined;
      calls.push(call);
      return fault;
    });
    return calls;
  }

  it.each(['hang', 'drop', 'throttle', 'fail'] as const)(
    'is answered 503 while its store would %s, and nothing runs; a call without a key does not notice',
    async (fault) => {
      const before = gate.calls();
      const calls = breakRecords(fault);
      expectError(await send('/acme/once', randomUUID()), 503, 'dependency_unavailable');
      expect(calls.length).toBeGreaterThan(0);
      const asked = calls.length;
      expect((await send('/acme/other', undefined)).status).toBe(200);
      expect(calls).toHaveLength(asked);
      access.tables.injectFaults(() => undefined);
      expect(gate.calls()).toBe(before);
    },
  );

  it('is answered by its run when the answer cannot be kept, and nobody runs a second time meanwhile', async () => {
    const key = randomUUID();
    const before = gate.calls();
    const calls = breakRecords('fail', ({ body }) => body.includes('"heldBy = :token"'));
    const first = send('/acme/once', key);
    await running();
    gate.open();
    expect((await first).status).toBe(200);
    expect(calls.length).toBeGreaterThan(0);
    access.tables.injectFaults(() => undefined);
    expectError(await send('/acme/once', key), 409, 'idempotency_in_progress');
    expect(gate.calls() - before).toBe(1);
  });

  it('gets the same answer again on both surfaces: stopped, raw, from the cache', async () => {
    await expectRepeated('/acme/other');
    await expectRepeated('/acme/other?rawOutput=1');
    const [stopped] = await expectRepeated('/acme/stopping');
    expect(stopped.headers['x-execution-stopped']).toBe('true');
    await expect.poll(async () => (await send('/acme/hello', undefined)).headers['x-cache']).toBe('hit');
    const [hit] = await expectRepeated('/acme/hello');
    expect(hit.json()).toMatchObject({ fromCache: true });
    const [completion, repeated] = await expectRepeated(CHAT, chat());
    expect(repeated.json()).toEqual(completion.json());
  });

  it('that was refused before limits admitted it is refused again, stores nothing, and runs when it is mended', async () => {
    const key = randomUUID();
    for (const input of [7, 7])
      expectError(await send('/acme/other', key, { json: { input } }), 422, 'invalid_input');
    expect((await send(CHAT, key, chat({ n: 3 }))).status).toBe(400);
    for (const again of [false, true]) expect(isReplay(await send('/acme/other', key))).toBe(again);
  });

  it('gets a stream again as a whole one, of the same surface', async () => {
    const [first, second] = await expectRepeated('/acme/other', { headers: ACCEPT_STREAM });
    expect([first, second].map(({ headers }) => headers['x-stream'])).toEqual(['live', 'whole']);
    const [live, whole] = [first, second].map(({ text }) => parseEvents(text));
    expect(live?.length).toBeGreaterThan(2);
    expect(whole?.map(({ event }) => event)).toEqual(['delta', 'result']);
    expect(textOf(whole ?? [])).toBe(textOf(live ?? []));
    expect(whole?.at(-1)).toEqual(live?.at(-1));
    const asStream = { stream: true, stream_options: { include_usage: true } };
    const [, chunks] = await expectRepeated('/v1/acme/other/chat/completions', {
      json: { ...chat(asStream).json, model: 'other' },
    });
    expect(chunks.text).toMatch(/^data: \{.*"content":"You said: Hello".*"usage":\{.*\ndata: \[DONE\]\n\n$/s);
  });

  it('that left in the middle of its stream gets all of it when it comes back', async () => {
    const key = randomUUID();
    const before = gate.calls();
    const options = { headers: ACCEPT_STREAM };
    const leaving = new AbortController();
    const gone = send('/acme/once', key, { ...options, signal: leaving.signal }).catch(() => 'gone');
    await running();
    leaving.abort();
    expect(await gone).toBe('gone');
    expectError(await send('/acme/once', key, options), 409, 'idempotency_in_progress');
    gate.open();
    const again = async () => (await send('/acme/once', key, options)).status;
    await expect.poll(again, { timeout: 20_000 }).toBe(200);
    const answer = await send('/acme/once', key, options);
    expect(isReplay(answer)).toBe(true);
    expect(textOf(parseEvents(answer.text))).toBe('Yes.');
    expect(gate.calls() - before).toBe(1);
  });

  it('and another body, flag, form, surface or version is refused', async () => {
    const key = randomUUID();
    await send('/acme/hello', key, { body: '{"input":"Hello"}' });
    for (const [path, options] of [
      ['/acme/hello', { body: '{"input":"Hellp"}' }],
      ['/acme/hello', { body: '{"input":"Hello"} ' }],
      ['/acme/hello?bypassCache=1', { body: '{"input":"Hello"}' }],
      ['/acme/hello', { body: '{"input":"Hello"}', headers: ACCEPT_STREAM }],
    ] as const)
      expectError(await send(path, key, options), 422, 'idempotency_mismatch');
    const rejected = await send(CHAT, key, chat());
    expect([rejected.status, rejected.json()['error']]).toMatchObject([
      400,
      { code: 'idempotency_mismatch' },
    ]);
    // A header that no key can be is refused before anything else about the request.
    for (const bad of ['', 'two words', 'x'.repeat(256), ['a', 'b']])
      expectError(
        await send('/acme/hello', undefined, { headers: { 'idempotency-key': bad } }),
        422,
        'invalid_parameter',
      );
  });

  it('has nothing to do with the same key of another address, API key or neuron', async () => {
    const key = randomUUID();
    const from = (address: string) => send('/acme/other', key, { headers: { 'x-forwarded-for': address } });
    const answers = [
      await from('198.51.100.1'),
      await from('198.51.100.2'),
      await send('/acme/hello', key, { headers: { 'x-forwarded-for': '198.51.100.1' } }),
    ];
    const create = ['keys', 'create', 'acme', '--name', 'shop', '--json'];
    const tokens = await Promise.all(
      [0, 1].map(async () => JSON.parse(await access.stack.operate(create)).key as string),
    );
    const by = (token: string) => send('/acme/keyed', key, { headers: { authorization: `Bearer ${token}` } });
    for (const token of tokens) answers.push(await by(token));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter(isReplay)).toEqual([]);
    expect(new Set(answers.map(idOf)).size).toBe(answers.length);
    expect(isReplay(await from('198.51.100.2'))).toBe(true);
    expect(idOf(await by(tokens[1] ?? ''))).toBe(idOf(answers[4] as Answer));
    // Without access nothing is said of a key, whoever has used it.
    expectError(await by('nrn_none'), 401, 'unauthorized');
  });

  it('may come again after a refusal that passes', async () => {
    const key = randomUUID();
    expect((await send('/acme/limited', undefined)).status).toBe(200);
    for (const _ of [0, 1]) {
      const rejected = await send('/acme/limited', key);
      expectError(rejected, 429, 'rate_limited');
      expect(isReplay(rejected)).toBe(false);
    }
  });

  it('to a version needs its preview key for the answer that is kept, too', async () => {
    const key = randomUUID();
    const previewKey = (await access.stack.operate(['versions', 'key', 'acme/other', 'v1', '--new'])).trim();
    const preview = (headers: Record<string, string>) => send('/acme/other/v1', key, { headers });
    const valid = { 'x-preview-key': previewKey };
    await expect.poll(async () => (await preview(valid)).status).toBe(200);
    expect(isReplay(await preview(valid))).toBe(true);
    expectError(await preview({}), 404, 'revision_not_found');
    expectError(await preview({ 'x-preview-key': 'nrp_wrong' }), 404, 'revision_not_found');
  });

  it('is in the log as a replay of the execution that made the answer, and costs nothing', async () => {
    const key = randomUUID();
    const first = await send('/acme/other', key);
    await send('/acme/other', key);
    const reason = `replay of ${idOf(first)}`;
    const listed = async () => {
      const lines = (await access.stack.operate(['logs', 'acme/other', '--json']))
        .split('\n')
        .filter(Boolean);
      return lines.map((line) => JSON.parse(line)).find((entry) => entry.reason === reason);
    };
    await expect.poll(listed).toBeDefined();
    const { executionId } = await listed();
    expect(executionId).not.toBe(idOf(first));
    expect(await findEntry(access, executionId)).toMatchObject({
      ...{ replayOf: idOf(first), outcome: 'success', status: 200, modelCalls: [], trace: [] },
      ...{ tokensInput: 0, tokensOutput: 0, costMicrodollars: 0, savingsMicrodollars: 0, count: 1 },
    });
  });
});
