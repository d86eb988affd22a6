// Checks of what guards money: alerts of usage limits, and one run for one idempotency key.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../e2e/support/call.ts';
import { callStream, parseEvents } from '../e2e/support/stream-call.ts';
import { type Check, type Deployment, expectAnswer, type Outcome } from './check.ts';
import { ORGANIZATION } from './settings.ts';

/** An alert is promised within a minute after the log entry; a stream that was just made takes a while to be read. */
const ALERT_TRIES = 90;

/** What `neuron alerts --json` says of each. */
interface ListedAlert {
  readonly keyId: string | null;
  readonly share: number;
  readonly eventBusAt: string | null;
}

export const MONEY_CHECKS: readonly Check[] = [
  {
    name: 'alert-is-sent',
    claim: 'the rollup function may record an alert and put it on the event bus, once for each share',
    run: alertIsSent,
  },
  {
    name: 'idempotent-replay',
    claim: 'Idempotency-Key reaches the execution function: one run, the same answer, another body is 422',
    run: answerIsReplayed,
  },
];

/** A key that one call brings to the first share of its limit. */
async function alertIsSent({ neuron, call }: Deployment): Promise<Outcome> {
  const create = ['keys', 'create', ORGANIZATION, '--name', 'alerted', '--limit', 'requests 100 day 1%'];
  const created = await neuron([...create, '--json']);
  if (created.exitCode !== 0) return { failed: created.stderr };
  const { key, keyId } = JSON.parse(created.stdout) as { readonly key: string; readonly keyId: string };
  const headers = { authorization: `Bearer ${key}` };
  for (let calls = 0; calls < 2; calls += 1) {
    const called = expectAnswer(
      await call(`/${ORGANIZATION}/private`, { json: { input: 'Hello' }, headers }),
      200,
    );
    if (!('ok' in called)) return called;
  }
  const calledMs = Date.now();
  for (let look = 0; look < ALERT_TRIES; look += 1) {
    const { stdout, stderr, exitCode } = await neuron(['alerts', ORGANIZATION, '--json']);
    if (exitCode !== 0) return { failed: stderr };
    const alerts = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ListedAlert)
      .filter((alert) => alert.keyId === keyId);
    if (alerts.some(({ eventBusAt }) => eventBusAt !== null)) {
      const seen = `${alerts.length} of share ${alerts[0]?.share} %, ${Math.round((Date.now() - calledMs) / 1000)} s after the call`;
      return alerts.length === 1 ? { ok: seen } : { failed: seen };
    }
    await sleep(1_000);
  }
  return { failed: `no alert was sent within ${ALERT_TRIES} s` };
}

async function answerIsReplayed({ url, call }: Deployment): Promise<Outcome> {
  const path = `/${ORGANIZATION}/open`;
  const json = { input: 'Hello' };
  const isSame = (one: Answer, other: Answer) =>
    one.status === 200 &&
    one.headers['idempotency-replayed'] === undefined &&
    other.headers['idempotency-replayed'] === 'true' &&
    other.text === one.text;
  const headers = { 'idempotency-key': `smoke-${Date.now()}` };
  const [first, again] = [await call(path, { json, headers }), await call(path, { json, headers })];
  if (!isSame(first, again))
    return { failed: `${first.status} ${first.text}, then ${again.status} ${again.text}` };
  const streamed = { json, headers: { 'idempotency-key': `smoke-stream-${Date.now()}` } };
  const [stream, replay] = [await callStream(url, path, streamed), await callStream(url, path, streamed)];
  const [result, repeated] = [stream, replay].map(({ text }) => JSON.stringify(parseEvents(text).at(-1)));
  if (replay.headers['idempotency-replayed'] !== 'true' || result !== repeated)
    return { failed: `streamed: ${stream.text}, then ${replay.status} ${replay.text}` };
  return expectAnswer(await call(path, { json: { input: 'Bye' }, headers }), 422, 'idempotency_mismatch');
}
