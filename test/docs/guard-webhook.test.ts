// The example of a webhook against requests that nobody signed now: replays, clocks that are wrong, bodies that were changed.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ROOT } from '../source-tree.ts';

const SECRET = 'words that both sides know';
const BODY = JSON.stringify({ version: 1, stage: 'input', texts: [{ role: 'user', text: 'A Falcon' }] });
const FINDS = { verdict: 'block', finds: [{ type: 'FALCON', text: 0 }] };

let guard: ChildProcess;
let url: string;

beforeAll(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  url = `http://127.0.0.1:${port}/check`;
  const env = { GUARD_SECRET: SECRET, PORT: String(port) };
  guard = spawn(process.execPath, ['examples/guard-webhook.mjs'], { cwd: ROOT, env, stdio: 'inherit' });
  await vi.waitFor(() => fetch(url, { method: 'POST', body: '{}' }), 10_000);
});
afterAll(async () => {
  const ended = new Promise((resolve) => guard.once('exit', resolve));
  guard.kill();
  await ended;
});

const sign = (time: string, secret = SECRET) =>
  `v1=${createHmac('sha256', secret).update(`${time}.${BODY}`).digest('hex')}`;
const post = (headers: Record<string, string>, body = BODY) => fetch(url, { method: 'POST', headers, body });
const secondsFromNow = (seconds: number) => String(Math.floor(Date.now() / 1_000) + seconds);
const headersOf = (time: string, signature = sign(time)) => ({
  'x-neuron-timestamp': time,
  'x-neuron-signature': signature,
});

it.each([0, -240, 240])('is answered where the clocks are %i s apart', async (seconds) => {
  const answer = await post(headersOf(secondsFromNow(seconds)));
  expect([answer.status, await answer.json()]).toEqual([200, FINDS]);
});

it.each([-600, 600])('a request that is %i s from now is refused, though it was signed', async (seconds) => {
  expect((await post(headersOf(secondsFromNow(seconds)))).status).toBe(401);
});

it('the signature is of the time and of the body', async () => {
  const [then, now] = [secondsFromNow(-600), secondsFromNow(0)];
  const refused = [
    post(headersOf(now, sign(then))),
    post(headersOf(now), BODY.replace('Falcon', 'sparrow')),
    post(headersOf(now, sign(now, 'other words'))),
    post(headersOf(now, sign(now).slice(0, -2))),
    post(headersOf(now, '')),
    post(headersOf('', sign(''))),
    post(headersOf('soon', sign('soon'))),
    post({}),
  ];
  const statuses = (await Promise.all(refused)).map(({ status }) => status);
  expect(statuses).toEqual(refused.map(() => 401));
});
