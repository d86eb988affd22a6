// `neuron doctor --probe`: each provider says ok, or what is wrong, why, and how to solve it; no key and no text of a provider is shown.
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HttpFailure } from '../../../adapters/http/failure.ts';
import type { Http } from '../../../adapters/http/message.ts';
import { runChecks } from '../../../cli/doctor/doctor.ts';
import { createOutput } from '../../../cli/output/print.ts';
import type { Stack } from '../../../cli/session/stack.ts';
import { createMemoryPorts, organizationRecord } from '../memory-ports.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';

const KEY = 'sk-a-key-that-nobody-may-see';
const TEXT = 'text of the provider';
const OPENAI = { type: 'openai', baseUrl: 'https://models.example/v1', apiKey: { secret: 'openai-key' } };
const answering =
  (status: number): Http =>
  async () => ({ status, headers: {}, body: Buffer.from(`{"error":{"message":"${TEXT} ${KEY}"}}`) });
const failing =
  (...[kind, message]: ConstructorParameters<typeof HttpFailure>): Http =>
  () =>
    Promise.reject(new HttpFailure(kind, message));

async function examine(
  http: Http,
  providers: object,
  detail: { local?: Stack['local']; key?: string; hosts?: string } = {},
) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme', { providers }), 'absent');
  ports.secretValues.set('id-acme/providers/openai-key', detail.key ?? KEY);
  if (detail.key === '') ports.secretValues.delete('id-acme/providers/openai-key');
  const outputs = { ...ports.stack.outputs, providerHosts: detail.hosts ?? 'null' };
  const stack = { ...ports.stack, outputs, local: detail.local };
  const terminal = createMemoryTerminal();
  const out = createOutput(terminal, { json: false, quiet: false, yes: false, color: false });
  const exitCode = await runChecks({
    args: { local: undefined, probe: true },
    ports: {
      ...{ version: '1.0.0', nodeVersion: '24.1.0', clock: ports.clock },
      fetch: async () => new Response('{}', { status: 404 }),
      identity: async () => 'ada',
      findStack: async () => stack,
      tableStatus: async () => 'ACTIVE',
      connect: async () => ({ ...ports, stack }),
      openHttp: async () => http,
    },
    out,
  });
  const { stdout, stderr } = terminal.printed;
  expect(stdout + stderr).not.toContain(KEY);
  expect(stdout + stderr).not.toContain(TEXT);
  return { exitCode, shown: stdout.slice(stdout.indexOf('providers:') - 5) };
}

describe('neuron doctor --probe', () => {
  it('shows host, status and the name of the secret of a provider that answers', async () => {
    const { exitCode, shown } = await examine(answering(200), { openai: OPENAI });
    expect(shown).toBe(
      'ok   providers: 1 provider in the settings\nok   provider acme/openai: models.example answered 200 and accepted the key in the secret openai-key\n',
    );
    expect(exitCode).toBe(0);
  });

  it('sends no key to a host that the stage does not list', async () => {
    let sent = 0;
    const counting: Http = async () => {
      sent += 1;
      return { status: 200, headers: {}, body: Buffer.from('{}') };
    };
    const { exitCode, shown } = await examine(counting, { openai: OPENAI }, { hosts: '["api.openai.com"]' });
    expect(shown).toContain('is on models.example, which the stage setting providerHosts does not list');
    expect({ exitCode, sent }).toEqual({ exitCode: 1, sent: 0 });
  });

  it('says which types are not probed', async () => {
    const { exitCode, shown } = await examine(answering(500), {
      bedrock: { type: 'bedrock', region: 'us-east-1' },
      echo: { type: 'echo' },
      lexical: { type: 'lexical' },
    });
    expect(shown.match(/^ok {3}provider acme\/(bedrock|echo|lexical): not probed: \S/gm)).toHaveLength(3);
    expect(exitCode).toBe(0);
  });

  it.each([
    [
      401,
      'It refused the key in the secret openai-key.',
      'neuron secrets set acme openai-key --for providers',
    ],
    [
      403,
      'It refused the key in the secret openai-key.',
      'neuron secrets set acme openai-key --for providers',
    ],
    [429, 'has reached a limit', 'Look at limits and billing'],
    [503, 'The provider failed.', 'Try again later'],
    [301, 'does not serve its list of models', 'Check the baseUrl'],
  ])('fails for %i with why and how to solve it', async (status, why, remedy) => {
    const { exitCode, shown } = await examine(answering(status), { openai: OPENAI });
    expect(shown).toContain(`fail provider acme/openai: models.example answered ${status}. `);
    expect(shown).toContain(why);
    expect(shown.trimEnd().split('\n').at(-1)).toContain(remedy);
    expect(exitCode).toBe(1);
  });

  it('notes a server without a list of models, and one that wants a key though none is set', async () => {
    const { exitCode, shown } = await examine(answering(404), { openai: OPENAI });
    expect(shown).toContain('note provider acme/openai: models.example answered 404. It may have no list');
    expect(exitCode).toBe(0);
    const { apiKey: _, ...without } = OPENAI;
    const open = await examine(answering(401), { openai: without });
    expect(open.shown).toContain('the settings of the provider have no apiKey.\n     Add apiKey');
    expect((await examine(answering(200), { openai: without })).shown).toContain('200; no key was sent');
  });

  it.each([
    ['unreachable', 'models.example could not be connected to', 'connected to.\n     Check the baseUrl, and'],
    ['aborted', 'the request to models.example was given up', 'given up after 10 s.\n     Check the baseUrl'],
    ['refused', 'models.example has no address that may be connected to', 'It could not be probed. models'],
    ['malformed', 'models.example does not speak HTTP', 'speak HTTP.\n     Check the baseUrl of'],
  ] as const)('fails where the exchange is %s', async (kind, message, expected) => {
    const { exitCode, shown } = await examine(failing(kind, message), { openai: OPENAI });
    expect(shown).toContain('fail provider acme/openai: ');
    expect(shown).toContain(expected);
    expect(exitCode).toBe(1);
  });

  it('says which secret is not set, on a local run as a note', async () => {
    const deployed = await examine(answering(200), { openai: OPENAI }, { key: '' });
    expect(deployed.shown).toContain(
      'the secret openai-key for providers is not set.\n     neuron secrets set acme openai-key',
    );
    expect(deployed.exitCode).toBe(1);
    const local = { folder: resolve('.local'), dynamodb: '', secretsmanager: '', logFolder: '' };
    const { exitCode, shown } = await examine(answering(200), { openai: OPENAI }, { key: '', local });
    expect(shown).toContain('note provider acme/openai: not probed: the secret openai-key');
    expect(shown).toContain('     neuron --local secrets set acme openai-key --for providers');
    expect(exitCode).toBe(0);
  });

  it('says that stored settings do not parse, and probes those of others', async () => {
    const { exitCode, shown } = await examine(answering(200), { openai: { type: 'unknown' } });
    expect(shown).toContain('fail provider acme: The stored settings of acme do not parse.');
    expect(exitCode).toBe(1);
  });
});
