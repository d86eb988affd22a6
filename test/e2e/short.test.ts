// A score of calls from end to end in a few seconds, for `npm test`; the other files here show the rest.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectRaw, expectSuccess } from './support/expect-answer.ts';
import { applySettings, scenarioSettings } from './support/settings.ts';
import { type Stack, startStack } from './support/stack.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
  await applySettings(stack, scenarioSettings({ openaiUrl: NOWHERE, deadUrl: NOWHERE }));
}, 60_000);
afterAll(() => stack?.stop());

const call = (path: string, body: unknown = { input: 'Hello' }) => stack.call(path, { json: body });

describe('the stack', () => {
  it('answers in JSON and as text', async () => {
    expectSuccess(await call('/acme/hello'), {
      output: 'You said: Hello',
      fromCache: false,
      executionStopped: false,
    });
    expectSuccess(await call('/acme/hello', {}), {
      output: 'You said: ',
      fromCache: false,
      executionStopped: false,
    });
    expectSuccess(await call('/acme/stopped'), { fromCache: false, executionStopped: true });
    expectRaw(await call('/acme/hello?rawOutput=true'), 'You said: Hello');
    expectRaw(await call('//acme/served?rawOutput=1'), 'For Hello');
  });

  it.each([
    ['/acme/hello', '{', 400, 'malformed_json'],
    ['/acme/hello', '[]', 400, 'malformed_body'],
    ['/acme/closed', '{}', 403, 'access_closed'],
    ['/acme/unknown', '{}', 404, 'not_found'],
    ['/nobody/hello', '{}', 404, 'not_found'],
    ['/acme/undeployed', '{}', 404, 'deployment_not_found'],
    ['/acme/hello/v1', '{}', 404, 'revision_not_found'],
    ['/acme', '{}', 404, 'route_not_found'],
    ['/acme/hello', '{"input":7}', 422, 'invalid_input'],
    ['/acme/small', '{"input":"eleven byte"}', 422, 'input_too_large'],
    ['/acme/hello?rawOutput=yes', '{}', 422, 'invalid_parameter'],
    ['/acme/unset', '{}', 500, 'configuration'],
    ['/acme/dead', '{}', 503, 'upstream_unavailable'],
    ['/acme/impatient', '{}', 503, 'deadline_exceeded'],
  ] as const)('refuses POST %s with %s: %i %s', async (path, body, status, code) => {
    expectError(await stack.call(path, { body }), status, code);
  });

  it('answers GET with 404 and the preflight with 204', async () => {
    expectError(await stack.call('/acme/hello', { method: 'GET' }), 404, 'route_not_found');
    expect((await stack.call('/acme/hello', { method: 'OPTIONS' })).status).toBe(204);
  });

  it('has the call in its log', async () => {
    const id = expectRaw(await call('/acme/hello?rawOutput=true'), 'You said: Hello');
    await expect
      .poll(() => stack.operate(['logs', 'acme/hello', '--json']), { timeout: 30_000 })
      .toContain(id);
  });
});
