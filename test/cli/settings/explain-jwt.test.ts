// `neuron explain` with a JWT: verified with the operator's permissions, and only names of it are shown.
import { describe, expect, it } from 'vitest';
import { SECRET, signWithSecret } from '../../core/access/tokens.ts';
import {
  createMemoryPorts,
  type MemoryPorts,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../memory-ports.ts';

async function withSupport(access: object): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'support', { access }), 'absent');
  return ports;
}

async function explainToken(ports: MemoryPorts, token: string): Promise<string> {
  const words = ['explain', 'acme/support'];
  const { exitCode, stdout } = await runWith(ports, words, { environment: { NEURON_TOKEN: token } });
  expect(exitCode).toBe(0);
  return stdout;
}

const lastLine = (stdout: string) => stdout.trimEnd().split('\n').at(-1);

describe('neuron explain', () => {
  it('verifies a JWT step by step, and shows only the names of its members', async () => {
    const ports = await withSupport({ jwt: { sharedSecret: { secret: 'shared' }, usernamePath: 'sub' } });
    ports.secretValues.set('id-acme/jwt/shared', SECRET);
    const claims = {
      sub: 'ada@example.com',
      exp: NOW_MS / 1000 + 60,
      'https://a.example/\u202Erole': 'canary',
    };
    const held = await explainToken(ports, signWithSecret(claims));
    expect(held.split('\n')).toEqual([
      'The header of the token has alg, typ; its payload has sub, exp, https://a.example/\\u{202e}role.',
      'settings    passes   the neuron exists and its settings can be used',
      'public      off      not asked for by the settings',
      'referers    off      not asked for by the settings',
      'ips         off      not asked for by the settings',
      'credentials passes   the JWT is valid, with a username',
      '            - the token has the form of a signed JWT',
      '            - its algorithm is listed',
      '            - its times, issuer and audience are valid',
      '            - its signature was made with the shared secret',
      'enabled     allows   every check that is enabled has passed',
      'Any caller like this: allowed as jwt',
      '',
    ]);
    const expired = await explainToken(ports, signWithSecret({ ...claims, exp: NOW_MS / 1000 - 60 }));
    expect(expired).toContain(
      'credentials refuses  the token has expired\n            - the token has the form of a signed JWT\n            - its algorithm is listed\nAny',
    );
    for (const shown of [held, expired]) expect(shown).not.toMatch(/ada@|canary|HS256|32 bytes/);
  });

  it('says 500 where the secret of a JWT is not set', async () => {
    const ports = await withSupport({ jwt: { sharedSecret: { secret: 'shared' } } });
    const shown = await explainToken(ports, signWithSecret({ exp: NOW_MS / 1000 + 60 }));
    expect(shown).toContain('credentials fails    the secret for JWTs is not set\n');
    expect(lastLine(shown)).toBe('Any caller like this: 500 configuration');
  });

  it('has the names in its JSON too, and none for what is no JWT', async () => {
    const ports = await withSupport({ jwt: { sharedSecret: { secret: 'shared' } } });
    const explainJson = async (token: string) => {
      const environment = { NEURON_TOKEN: token };
      const { stdout } = await runWith(ports, ['explain', 'acme/support', '--json'], { environment });
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const value = await explainJson(signWithSecret({ exp: NOW_MS / 1000 + 60, sub: 'ada' }));
    expect(value['token']).toEqual({ header: ['alg', 'typ'], claims: ['exp', 'sub'] });
    expect(value['decisions']).toMatchObject([
      { credential: 'the given token', outcome: 'configuration', status: 500 },
    ]);
    expect(await explainJson('nrn_abc')).not.toHaveProperty('token');
  });

  it('shows what a valid JWT changes, beside what a key does', async () => {
    const jwt = {
      jwks: ['https://login.example.com/jwks'],
      issuer: 'a',
      audience: ['b'],
      usernamePath: 'user.id',
      requireUsername: true,
    };
    const ports = await withSupport({ jwt, apiKey: true });
    const { stdout } = await runWith(ports, ['explain', 'acme/support']);
    expect(stdout.split('\n').slice(-4)).toEqual([
      'Without a valid API key or JWT: 401 unauthorized',
      'With a valid API key: allowed as apiKey',
      'With a valid JWT: allowed as jwt',
      '',
    ]);
  });
});
