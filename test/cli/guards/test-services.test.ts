// `neuron guards test --services`: services are asked over a real connection, with secrets of the stack, and only where it is said.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeAnswer } from '../../adapters/providers/fake-http.ts';
import { type FixtureServer, startFixtureServer } from '../../adapters/providers/fixture-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';
import type { Surroundings } from '../memory-terminal.ts';

let server: FixtureServer;
let answer: FakeAnswer;

beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  server = await startFixtureServer(() => answer);
});
afterAll(() => server.stop());

const settings = () => `organization: acme
providers: { demo: { type: echo } }
guards:
  pii: { type: pii, entities: [email] }
  ours: { type: webhook, endpoint: "${server.url}/check", secret: { secret: guard-hmac } }
---
neuron: acme/n
access: { apiKey: true }
guards:
  - { use: pii, on: [input], action: mask }
  - { use: ours, on: [input], action: redact }
  - { use: ours, on: [toolResults], action: flag }
  - { use: ours, on: [output], action: block, onFailure: open }
flow: [{ callModel: { provider: demo, model: m } }]
`;

async function open() {
  const ports = createMemoryPorts();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), settings());
  const written = '{ organization: acme, providers: { demo: { type: echo } } }\n';
  writeFileSync(join(folder, 'stored.yaml'), written);
  expect((await runWith(ports, ['apply', 'stored.yaml', '--yes'], { folder })).exitCode).toBe(0);
  const { id = '' } = (await ports.store.readOrganization('acme')) ?? {};
  ports.secretValues.set(`${id}/providers/guard-hmac` as never, 'shared words' as never);
  const local = { ...ports, stack: { ...ports.stack, local: { folder: '.local' } as never } };
  const run = (words: readonly string[], around: Surroundings = {}) =>
    runWith(local, ['guards', 'test', 'acme/n', '--settings', 'a.yaml', '--local', ...words], {
      folder,
      ...around,
    });
  return { run, ports };
}

const verdict = (body: object) => {
  answer = { status: 200, headers: { 'content-type': 'application/json' }, body };
};
const NAME = { verdict: 'block', finds: [{ type: 'NAME', text: 0, start: 5, end: 8 }] };
const TEXT = 'I am Ann, ann@example.com';
const ms = (stdout: string) => stdout.replaceAll(/\d+ ms/g, 'N ms');

describe('neuron guards test --services', () => {
  it('asks services about what guards in the process let pass, and cuts as they say', async () => {
    verdict(NAME);
    const { run } = await open();
    const { exitCode, stdout } = await run(['--services', '--show', '--text', TEXT], { typed: [] });
    expect(exitCode).toBe(0);
    expect(ms(stdout)).toContain(
      'input: leaves changed\n  pii mask: email 1\n  ours redact: NAME 1, after N ms\n',
    );
    expect(stdout).toMatch(/│ I am \[OURS\], \[EMAIL_[A-Z2-7]{8}\]/);
    const { texts } = JSON.parse(server.received.at(-1)?.body ?? '');
    expect(texts).toEqual([
      { role: 'user', text: expect.stringMatching(/^I am Ann, \[EMAIL_[A-Z2-7]{8}\]$/) },
    ]);
    expect(server.received.at(-1)?.headers).toHaveProperty('x-neuron-signature');
  });

  it('asks none without it, and says so', async () => {
    const { run } = await open();
    const before = server.received.length;
    const { stdout, stderr } = await run(['--text', TEXT]);
    expect(stdout).toBe('input: leaves changed\n  pii mask: email 1\n');
    expect(stderr).toContain(
      'Not run, since they ask a service: ours. Pass --services to send the text there.',
    );
    const alone = await run(['--guard', 'ours', '--text', TEXT]);
    expect([alone.exitCode, server.received.length - before]).toEqual([1, 0]);
    expect(alone.stderr).toContain('ours asks a service, and there is no other guard here.');
  });

  it.each([
    [
      'toolResults',
      NAME,
      'toolResults: leaves as it is, and the log says so\n  ours flag: NAME 1, after N ms\n',
    ],
    ['output', NAME, 'output: blocked\n  ours block: NAME 1, after N ms\n'],
    [
      'output',
      { verdict: 'pass' },
      'output: leaves as it is, nothing was found\n  ours block: nothing, after N ms\n',
    ],
  ])('says of %s what becomes of it', async (stage, body, stdout) => {
    verdict(body);
    const { run } = await open();
    const tested = await run(['--services', '--stage', stage, '--text', 'I am Ann']);
    expect(ms(tested.stdout)).toBe(stdout);
  });

  it('says which request would fail where a service gives no verdict, and which passes', async () => {
    answer = { status: 503, body: {} };
    const { run } = await open();
    const closed = await run(['--services', '--text', 'I am Ann']);
    expect(ms(closed.stdout)).toBe(
      'input: no verdict, so that a request ends with guard_unavailable: the guard ours: server_error (HTTP 503)\n' +
        '  ours redact: no verdict (server_error), after N ms\n',
    );
    const passed = await run(['--services', '--stage', 'output', '--json', '--text', 'I am Ann']);
    expect(JSON.parse(passed.stdout)).toMatchObject({
      verdict: 'passed',
      guards: [{ guard: 'ours', finds: [], notJudged: 'server_error' }],
    });
    answer = { status: 401, body: {} };
    const wrong = await run(['--services', '--stage', 'output', '--json', '--text', 'I am Ann']);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ verdict: 'failed', error: 'configuration' });
  });

  it('asks once a line, and sums up', async () => {
    verdict({ verdict: 'block', finds: [{ type: 'NAME', text: 0 }] });
    const { run } = await open();
    const before = server.received.length;
    const { stdout } = await run(['--services', '--lines', '--stage', 'output'], { piped: 'one\ntwo\n' });
    expect(ms(stdout)).toContain(
      'line 2: blocked: ours block: NAME 1, after N ms\n2 lines, 2 with a find, 2 blocked',
    );
    expect(server.received.length - before).toBe(2);
  });

  it('names a secret that is not set', async () => {
    const { run, ports } = await open();
    ports.secretValues.clear();
    const missing = await run(['--services', '--text', 'I am Ann']);
    expect(missing.stdout).toContain('ends with configuration: the secret guard-hmac of a guard is not set');
  });
});
