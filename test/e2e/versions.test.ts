// Versions over HTTP: the route of one version with its preview key, rollbacks, and a deployment while callers are served.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectError, expectSuccess } from './support/expect-answer.ts';
import { applySettings } from './support/settings.ts';
import { type Stack, startStack } from './support/stack.ts';

const ORGANIZATION = 'organization: acme\nproviders: { demo: { type: echo } }';

/** A flow that says its name in two steps: an answer that is partly from another version shows it. */
function settings(name: string, access = 'public: true'): string {
  return [
    ORGANIZATION,
    `neuron: acme/hello
access: { ${access} }
flow:
  - callModel: { provider: demo, model: echo-1, prompt: "${name} {{input}}" }
  - callModel: { provider: demo, model: echo-1, prompt: "${name} {{output}}" }`,
  ].join('\n---\n');
}

const said = (name: string, input: string) => `You said: ${name} You said: ${name} ${input}`;
const done = (output: string) => ({ output, fromCache: false, executionStopped: false });

describe('versions', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ settings: settings('one'), concurrency: 4 });
  });
  afterAll(() => stack?.stop());

  const call = (input = 'x') => stack.call('/acme/hello', { json: { input } });
  const revision = (id: string, headers: Record<string, string | string[]> = {}, query = '') =>
    stack.call(`/acme/hello/${id}${query}`, { json: { input: 'x' }, headers });
  let key = '';

  it('makes no new version of a flow that did not change', async () => {
    await applySettings(stack, settings('one'));
    const listed = await stack.operate(['versions', 'list', 'acme/hello', '--json']);
    expect(
      listed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ version: 'v1', deployed: true }]);
  });

  it('runs a version that is not deployed with its preview key, from header or query', async () => {
    const file = join(temporaryFolder(), 'settings.yaml');
    writeFileSync(file, settings('two'));
    await stack.operate(['apply', file, '--no-deploy']);
    key = (await stack.operate(['versions', 'key', 'acme/hello', 'v2', '--new'])).trim();
    // Settings take effect within 1 s here.
    await expect.poll(async () => (await revision('v2', { 'x-preview-key': key })).status).toBe(200);
    expectSuccess(await revision('v2', { 'x-preview-key': key }), done(said('two', 'x')));
    expectSuccess(await revision('v2', {}, `?key=${encodeURIComponent(key)}`), done(said('two', 'x')));
    expectSuccess(await call(), done(said('one', 'x')));
  });

  it('is called with --revision and the key from the environment', async () => {
    const words = ['call', 'acme/hello', '--input', 'x', '--revision', 'v2'];
    expect(await stack.operate(words, { environment: { NEURON_PREVIEW_KEY: key } })).toBe(
      `${said('two', 'x')}\n`,
    );
    expect(await stack.neuron(words, { environment: { NEURON_PREVIEW_KEY: '' } })).toMatchObject({
      exitCode: 2,
    });
  });

  it.each([
    ['no key', 'v2', {}],
    ['a wrong key', 'v2', { 'x-preview-key': 'nrp_wrong' }],
    ['the key of another version', 'v1', 'own'],
    ['an unknown version', 'v9', 'own'],
    ['an id that no version can have', 'V2', 'own'],
    ['a name of every object', 'constructor', 'own'],
    ['a wrong key beside the right one', 'v2', 'both'],
  ] as const)('refuses %s with one answer', async (_what, id, headers) => {
    const options =
      headers === 'own'
        ? { 'x-preview-key': key }
        : headers === 'both'
          ? { 'x-preview-key': [key, 'nrp_wrong'] }
          : headers;
    expectError(await revision(id, options), 404, 'revision_not_found');
  });

  it('deploys while 200 requests are in flight: each answer is wholly of one version and none fails', async () => {
    const answers: string[] = [];
    const failures: string[] = [];
    let stop = false;
    const lanes = Array.from({ length: 200 }, async () => {
      while (!stop) {
        const answer = await call('x');
        if (answer.status === 200) answers.push(String(answer.json()['output']));
        else failures.push(`${answer.status} ${answer.text}`);
      }
    });
    await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThan(200);
    await stack.operate(['versions', 'deploy', 'acme/hello', 'v2']);
    await expect.poll(() => answers.at(-1), { timeout: 30_000 }).toBe(said('two', 'x'));
    stop = true;
    await Promise.all(lanes);
    expect(failures).toEqual([]);
    expect([...new Set(answers)].sort()).toEqual([said('one', 'x'), said('two', 'x')]);
  });

  it('keeps one deployment of two operators at once, and tells the other to look again', async () => {
    // v2 is deployed: the one deploys v1, the other takes every version away.
    const both = await Promise.all([
      stack.neuron(['versions', 'deploy', 'acme/hello', 'v1', '--json']),
      stack.neuron(['versions', 'undeploy', 'acme/hello', '--json']),
    ]);
    const won = both.filter(({ exitCode }) => exitCode === 0).map(({ stdout }) => JSON.parse(stdout));
    const lost = both.filter(({ exitCode }) => exitCode !== 0);
    expect(won.length).toBeGreaterThanOrEqual(1);
    for (const { stderr } of lost) expect(stderr).toContain('changed by someone else in the meantime');
    const { stdout } = await stack.neuron(['versions', 'list', 'acme/hello', '--json']);
    const listed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { version: string; deployed: boolean });
    const deployed = listed.find((one) => one.deployed)?.version ?? null;
    // What is stored is what one of those who were told "done" was told.
    expect(won.map((one) => one.deployed)).toContain(deployed);
    await stack.operate(['versions', 'deploy', 'acme/hello', 'v2']);
  });

  it('rolls back', async () => {
    await stack.operate(['versions', 'deploy', 'acme/hello', 'v1']);
    await expect.poll(async () => (await call()).json()['output']).toBe(said('one', 'x'));
  });

  it('keeps the route of a version behind the same access control', async () => {
    const file = join(temporaryFolder(), 'settings.yaml');
    writeFileSync(file, settings('two', 'ips: [203.0.113.7]'));
    await stack.operate(['apply', file, '--no-deploy']);
    await expect.poll(async () => (await call()).status).toBe(403);
    expectError(await revision('v2', { 'x-preview-key': key }), 403, 'ip_not_allowed');
  });

  it('answers 404 once undeployed', async () => {
    await applySettings(stack, settings('two'));
    await stack.operate(['versions', 'undeploy', 'acme/hello']);
    await expect.poll(async () => (await call()).status).toBe(404);
    expectError(await call(), 404, 'deployment_not_found');
  });
});
