// Calls that fail in every way, each with secrets where callers put them and where they should not.
import type { AccessStack } from './access-stack.ts';
import type { Answer, CallOptions } from './call.ts';
import type { Planted } from './canary-planted.ts';
import { FAILING_NEURONS } from './canary-settings.ts';
import { descendantsOf } from './processes.ts';
import { outputOf } from './tables.ts';

/** Makes a call and keeps its answer. */
export type Send = (path: string, options?: CallOptions) => Promise<Answer>;

/** Bad requests of callers whom nothing keeps out, and runs that succeed. */
export async function sendBadRequests(
  send: Send,
  { prompt, stray, previewKey, wrongPreviewKey }: Planted,
): Promise<void> {
  const json = { input: prompt };
  for (const neuron of ['hashed', 'unlogged']) {
    await send(`/acme/${neuron}`, { json });
    await send(`/acme/${neuron}?rawOutput=true`, { json });
    await send(`/acme/${neuron}`, { body: `{"input":"${prompt}` });
    await send(`/acme/${neuron}`, { body: JSON.stringify([prompt]) });
    await send(`/acme/${neuron}`, { json: { input: [prompt] } });
    await send(`/acme/${neuron}?rawOutput=${stray}`, { json });
    await send(`/acme/${neuron}?${stray}=${stray}`, { json: { ...json, [stray]: stray } });
    await send(`/acme/${neuron}`, {
      json,
      headers: { cookie: stray, 'x-stray': stray, 'user-agent': stray },
    });
  }
  const messages = [{ role: 'user', content: prompt }];
  await send('/acme/hashed', { json: { messages, parameters: { seed: 1 } } });
  for (const model of [stray, 'hashed']) {
    await send('/v1/acme/hashed/chat/completions', { json: { model, messages, [stray]: stray } });
    await send('/v1/acme/hashed/chat/completions', { json: { model, messages } });
  }
  await send('/acme/small', { json });
  await send('/acme/guarded', { json });
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  await send('/acme/guarded', { json: { messages: [{ role: 'user', content: [image] }] } });
  await send('/acme/unwatched', { json });
  await send('/acme/undeployed', { json });
  await send(`/acme/${stray}`, { json });
  await send(`/${stray}/${stray}`, { json });
  await send(`/acme/${stray}/${stray}/${stray}`, { json });
  await send('/acme', { method: 'GET', headers: { authorization: `Bearer ${stray}` } });
  await send('/acme/hashed/v1', { json, headers: { 'x-preview-key': previewKey } });
  await send(`/acme/hashed/v1?key=${previewKey}`, { json });
  for (const version of ['v1', 'v2']) {
    await send(`/acme/hashed/${version}`, { json, headers: { 'x-preview-key': wrongPreviewKey } });
    await send(`/acme/hashed/${version}?key=${wrongPreviewKey}`, { json });
  }
}

/** Feedback with secrets in its token, its metric and a comment that the neuron does not take, and twice the same. */
export async function sendFeedback(send: Send, { prompt, stray }: Planted): Promise<void> {
  const value = { metric: 'helpful', value: true };
  // An answer has no token where the key of the log could not be read in time, as on a slow machine.
  for (let tries = 0; tries < 10; tries += 1) {
    const { headers } = await send('/acme/rated', { json: { input: prompt } });
    const token = headers['x-feedback-token'];
    for (const neuron of ['rated', 'hashed'])
      for (const json of [
        { token: stray, ...value },
        { token: `${token}${stray}`, ...value },
        { token, metric: stray, value: true },
        { token, ...value, comment: prompt },
        { token, ...value },
        { token, ...value },
      ])
        await send(`/acme/${neuron}/feedback`, { json });
    if (token !== undefined) return;
  }
}

/** Idempotency keys that are secrets: of runs, of another request, of a run in progress, and one that no key can be. */
export async function sendIdempotent(send: Send, { prompt, stray }: Planted): Promise<void> {
  const json = { input: 'Hello' };
  const keyed = (key: string) => ({ 'idempotency-key': key });
  for (const neuron of ['hashed', 'unlogged']) {
    for (const body of [json, json, { input: prompt }])
      await send(`/acme/${neuron}`, { json: body, headers: keyed(stray) });
    await send(`/acme/${neuron}`, { json: { input: prompt }, headers: keyed(`${stray} ${prompt}`) });
  }
  // On a slow machine the first of two may have ended before the second begins.
  for (let tries = 0; tries < 10; tries += 1) {
    const options = { json, headers: keyed(`${stray}-${tries}`) };
    const answers = await Promise.all([send('/acme/slow', options), send('/acme/slow', options)]);
    if (answers.some(({ status }) => status === 409)) break;
  }
}

/** Callers with credentials that hold, that do not, and that are somewhere else than they belong. */
export async function sendCredentials(send: Send, { apiKeys, jwts, prompt, stray }: Planted): Promise<void> {
  const json = { input: prompt };
  const tokens = [...Object.values(apiKeys), ...Object.values(jwts), stray];
  for (const token of tokens) {
    for (const neuron of ['keyed', 'tokens', 'hashed', 'closed']) {
      await send(`/acme/${neuron}`, { json, headers: { authorization: `Bearer ${token}` } });
    }
    for (const authorization of [
      [`Bearer ${token}`, `Bearer ${token}`],
      [`Basic ${Buffer.from(`user:${token}`).toString('base64')}`],
      [`Bearer ${token.slice(0, -1)}`],
      [`Bearer ${token}x`],
      [token],
    ]) {
      await send('/acme/keyed', { json, headers: { authorization } });
      await send('/acme/tokens', { json, headers: { authorization } });
    }
    const headers = {
      'x-api-key': token,
      cookie: `token=${token}`,
      'proxy-authorization': `Bearer ${token}`,
    };
    await send(`/acme/keyed?key=${token}&access_token=${token}`, { json: { ...json, token }, headers });
    const referer = `https://attacker.example/${token}?token=${token}`;
    await send('/acme/pages', { json, headers: { referer } });
    await send('/acme/pages', { json, headers: { referer: token } });
    await send('/acme/office', { json, headers: { referer, 'x-forwarded-for': token } });
    await send(`/acme/none`, { json, headers: { authorization: `Bearer ${token}` } });
  }
}

/** Calls beyond the limits of a key and of an organization; the third is refused even where a window ends between the first two. */
export async function sendBeyondLimits(send: Send, { apiKeys, prompt }: Planted): Promise<void> {
  const headers = { authorization: `Bearer ${apiKeys.valid}` };
  for (const path of ['/acme/limited', '/tight/hello']) {
    for (let sent = 0; sent < 3; sent += 1) await send(path, { json: { input: prompt }, headers });
  }
}

/** Runs that fail: the provider, the deadline, the deployment, a process that is killed, too many at once. */
export async function sendFailingRuns(
  send: Send,
  { stack }: AccessStack,
  { apiKeys, prompt }: Planted,
): Promise<void> {
  const call = { json: { input: prompt }, headers: { authorization: `Bearer ${apiKeys.valid}` } };
  for (const neuron of [...FAILING_NEURONS, 'unset', 'gone', 'broken', 'impatient']) {
    await send(`/acme/${neuron}`, call);
  }
  const tools = [{ type: 'function', function: { name: 'look_up' } }];
  await send('/acme/careless', { ...call, json: { ...call.json, tools } });
  // On a slow machine the first of two may have ended before the second begins.
  for (let tries = 0; tries < 10; tries += 1) {
    const answers = await Promise.all([send('/acme/single', call), send('/acme/single', call)]);
    if (answers.some(({ status }) => status === 429)) break;
  }
  await Promise.all(Array.from({ length: 12 }, () => send('/acme/slow', call)));
  const dying = send('/acme/slow', call);
  await new Promise((resolve) => setTimeout(resolve, 700));
  for (const { pid } of descendantsOf(stack.pid).filter(({ command }) => /boot\.ts/.test(command))) {
    process.kill(pid, 'SIGKILL');
  }
  await dying;
  // A process that was killed may be taken for an idle one once more.
  for (let tries = 0; tries < 5; tries += 1) await send('/acme/hashed', call);
}

/** While stores fail, while the organization, a neuron or the key is paused, during maintenance, and while the key is blocked. */
export async function sendWhileClosed(
  send: Send,
  access: AccessStack,
  { apiKeys, prompt }: Planted,
): Promise<void> {
  const call = { json: { input: prompt }, headers: { authorization: `Bearer ${apiKeys.valid}` } };
  const callAll = async () => {
    for (const neuron of ['keyed', 'hashed', 'tokens', 'unread']) await send(`/acme/${neuron}`, call);
  };
  for (const name of ['KeysTable', 'ConfigTable', 'LogsTable', 'CountersTable']) {
    const table = JSON.stringify(outputOf(access.dataFolder, name));
    for (const fault of ['fail', 'drop'] as const) {
      access.tables.injectFaults(({ body }) => (body.includes(table) ? fault : undefined));
      await callAll();
    }
  }
  access.tables.injectFaults(() => undefined);
  for (const [on, off] of [
    [
      ['organization', 'pause', 'acme'],
      ['organization', 'resume', 'acme'],
    ],
    [
      ['maintenance', 'on'],
      ['maintenance', 'off'],
    ],
    [
      ['pause', 'acme/keyed'],
      ['resume', 'acme/keyed'],
    ],
    [
      ['keys', 'pause', 'acme', apiKeys.valid.slice(4, 16)],
      ['keys', 'resume', 'acme', apiKeys.valid.slice(4, 16)],
    ],
    [
      ['block', 'acme', '--key', apiKeys.valid, '--for', '1h'],
      ['unblock', 'acme', '--key', apiKeys.valid],
    ],
  ] as const) {
    await access.stack.operate(on);
    // Settings that were read before act for a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await callAll();
    await access.stack.operate(off);
  }
}
