// `neuron secrets`: values go in and never come out.
import { describe, expect, it } from 'vitest';
import { createMemoryPorts, organizationRecord, runWith } from '../memory-ports.ts';

async function withAcme() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  return ports;
}

const SET = ['secrets', 'set', 'acme', 'openai-key', '--for', 'providers'];

describe('neuron secrets set', () => {
  it('reads the value from standard input, without its last line end', async () => {
    const ports = await withAcme();
    for (const [piped, value] of [
      ['sk-1', 'sk-1'],
      ['sk-2\n', 'sk-2'],
      ['sk-3\r\n', 'sk-3'],
      ['two\nlines\n\n', 'two\nlines\n'],
    ] as const) {
      const { exitCode, stdout, stderr } = await runWith(ports, SET, { piped });
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
      expect(stderr).toContain('Secret openai-key of acme for providers is set.');
      expect(stderr).not.toContain('sk-');
      expect(ports.secretValues.get('id-acme/providers/openai-key')).toBe(value);
    }
  });

  it('asks for it on a terminal without showing it, and asks before it replaces one', async () => {
    const ports = await withAcme();
    const first = await runWith(ports, SET, { typed: ['sk-1'] });
    expect(first.exitCode).toBe(0);
    expect(first.hidden).toEqual(['Value of openai-key (not shown): ']);
    const rejected = await runWith(ports, SET, { typed: ['sk-2', 'n'] });
    expect(rejected.exitCode).toBe(1);
    expect(ports.secretValues.get('id-acme/providers/openai-key')).toBe('sk-1');
    await runWith(ports, SET, { typed: ['sk-2', 'y'] });
    expect(ports.secretValues.get('id-acme/providers/openai-key')).toBe('sk-2');
  });

  it('refuses an empty value, a name that settings cannot use, no purpose and a purpose of its own', async () => {
    const ports = await withAcme();
    expect((await runWith(ports, SET, { piped: '\n' })).exitCode).toBe(2);
    expect((await runWith(ports, SET, { typed: [] })).exitCode).toBe(2);
    for (const words of [
      ['secrets', 'set', 'acme', 'Key!', '--for', 'providers'],
      ['secrets', 'set', 'acme', 'key'],
      ['secrets', 'set', 'acme', 'key', '--for', 'log'],
    ]) {
      expect((await runWith(ports, words, { piped: 'x' })).exitCode).toBe(2);
    }
    expect(ports.secretValues.size).toBe(0);
  });

  it('refuses an unknown organization', async () => {
    const ports = await withAcme();
    const words = ['secrets', 'set', 'other', 'key', '--for', 'jwt'];
    expect(await runWith(ports, words, { piped: 'x' })).toMatchObject({ exitCode: 1 });
  });
});

describe('neuron secrets set --for jwt', () => {
  const SET_JWT = ['secrets', 'set', 'acme', 'support-jwt', '--for', 'jwt'];

  it.each([
    [' \t', 'is empty'],
    ['your-256-bit-secret', 'is a value that is known from documentation and examples'],
    [
      '\n -----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
      'is a key or certificate that others have too',
    ],
    ['{"kty":"oct","k":"geheim-geheim"}', 'is a JSON Web Key, not the secret itself'],
  ])('refuses %j, and shows nothing of it', async (piped, why) => {
    const ports = await withAcme();
    const { exitCode, stdout, stderr } = await runWith(ports, SET_JWT, { piped });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(
      `error: The value ${why}, so others could sign tokens with it. Nothing was set.`,
    );
    expect(stderr).toContain('openssl rand -base64 48');
    expect(stderr).not.toMatch(/256-bit|MIIB|geheim/);
    expect(ports.secretValues.size).toBe(0);
  });

  it('warns about a short one, and sets it', async () => {
    const ports = await withAcme();
    const { exitCode, stderr } = await runWith(ports, SET_JWT, { piped: 'kurz und geheim' });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('warning: The value has 15 bytes; whoever has one token can try out secrets');
    expect(ports.secretValues.get('id-acme/jwt/support-jwt')).toBe('kurz und geheim');
  });

  it('takes any value for a provider, whose keys can be short', async () => {
    const ports = await withAcme();
    const { exitCode, stderr } = await runWith(ports, SET, { piped: 'secret' });
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('warning');
  });
});

describe('neuron secrets list', () => {
  it('shows names by purpose and no value, and nothing of the log key', async () => {
    const ports = await withAcme();
    ports.secretValues.set('id-acme/providers/b-key', 'geheim');
    ports.secretValues.set('id-acme/providers/a-key', 'geheim');
    ports.secretValues.set('id-acme/jwt/shared', 'geheim');
    ports.secretValues.set('id-acme/providers/log:hmac', 'geheim');
    expect((await runWith(ports, ['secrets', 'list', 'acme', '--json'])).stdout).toBe(
      '{"name":"a-key","for":"providers"}\n{"name":"b-key","for":"providers"}\n{"name":"shared","for":"jwt"}\n',
    );
    expect((await runWith(ports, ['secrets', 'list', 'acme', '--for', 'jwt'])).stdout).toBe(
      'NAME    FOR\nshared  jwt\n',
    );
  });
});

describe('neuron secrets remove', () => {
  it('removes with --yes, and refuses without a terminal', async () => {
    const ports = await withAcme();
    ports.secretValues.set('id-acme/jwt/shared', 'geheim');
    const words = ['secrets', 'remove', 'acme', 'shared', '--for', 'jwt'];
    expect((await runWith(ports, words)).exitCode).toBe(2);
    expect(ports.secretValues.size).toBe(1);
    expect((await runWith(ports, [...words, '--yes'])).exitCode).toBe(0);
    expect(ports.secretValues.size).toBe(0);
    expect((await runWith(ports, [...words, '--yes'])).stderr).toContain(
      'error: There is no secret shared of acme for jwt.',
    );
  });
});
