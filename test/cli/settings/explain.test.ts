// `neuron explain`: the decision of access control, for stored settings and for files, and never a token.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../cli/main.ts';
import { createOutput } from '../../../cli/output/print.ts';
import type { GlobalOptions } from '../../../cli/session/options.ts';
import { generateApiKey } from '../../../core/access/api-key.ts';
import type { MemoryClock } from '../../support/memory/clock.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  createMemoryPorts,
  type MemoryPorts,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../memory-ports.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';

const folder = temporaryFolder();

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

async function withSupport(access: object): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  for (const slug of ['acme', 'other']) {
    await ports.store.writeOrganization(organizationRecord(slug), 'absent');
  }
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'support', { access }), 'absent');
  return ports;
}

async function createKey(ports: MemoryPorts, organization: string, ...words: string[]): Promise<string> {
  const { stdout } = await runWith(ports, ['keys', 'create', organization, '--name', 'x', ...words]);
  return stdout.trim();
}

const lastLine = (stdout: string) => stdout.trimEnd().split('\n').at(-1);
const EXPLAIN = ['explain', 'acme/support'];

describe('neuron explain', () => {
  it('shows every check in order, with what a key changes', async () => {
    const ports = await withSupport({
      referers: ['app.example.com'],
      ips: ['198.51.100.0/24'],
      apiKey: true,
    });
    const words = [...EXPLAIN, '--referer', 'https://app.example.com/a', '--ip', '198.51.100.9'];
    const { exitCode, stdout, stderr } = await runWith(ports, words);
    expect(exitCode).toBe(0);
    expect(stderr).toBe('acme/support as applied:\n');
    expect(stdout.split('\n')).toEqual([
      'settings    passes   the neuron exists and its settings can be used',
      'public      off      not asked for by the settings',
      "referers    passes   the Referer's host app.example.com is listed as app.example.com",
      'ips         passes   198.51.100.9 is listed as 198.51.100.0/24',
      'credentials refuses  the request carries no Authorization header',
      'Without a valid API key: 401 unauthorized',
      'With a valid API key: allowed as apiKey',
      '',
    ]);
  });

  it('decides for the Origin of a page, without a token and with one', async () => {
    const ports = await withSupport({ referers: ['app.example.com'], apiKey: true });
    const key = await createKey(ports, 'acme');
    for (const environment of [{}, { NEURON_TOKEN: key }]) {
      const foreign = await runWith(ports, [...EXPLAIN, '--origin', 'https://attacker.example'], {
        environment,
      });
      expect(lastLine(foreign.stdout)).toBe('Any caller like this: 403 referer_not_allowed');
      const listed = await runWith(ports, [...EXPLAIN, '--origin', 'https://app.example.com'], {
        environment,
      });
      expect(listed.stdout).toContain("referers    passes   the Origin's host app.example.com is listed");
      expect(lastLine(listed.stdout)).toContain('allowed as apiKey');
    }
    const { stdout } = await runWith(ports, [...EXPLAIN, '--origin', 'null', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      origin: 'null',
      decisions: [{ code: 'referer_not_allowed' }],
    });
  });

  it('is one JSON value with --json', async () => {
    const ports = await withSupport({ ips: ['198.51.100.0/24'] });
    const { stdout } = await runWith(ports, [...EXPLAIN, '--ip', '192.0.2.1', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      neuron: 'acme/support',
      file: null,
      referer: null,
      origin: null,
      ip: '192.0.2.1',
      closed: null,
      decisions: [
        {
          credential: 'none',
          outcome: 'refused',
          status: 403,
          code: 'ip_not_allowed',
          authentication: null,
          steps: [
            {
              check: 'settings',
              verdict: 'passes',
              reason: 'the neuron exists and its settings can be used',
            },
            { check: 'public', verdict: 'off', reason: 'not asked for by the settings' },
            { check: 'referers', verdict: 'off', reason: 'not asked for by the settings' },
            { check: 'ips', verdict: 'refuses', reason: '192.0.2.1 is not listed' },
          ],
        },
      ],
    });
    const allowed = await runWith(ports, [...EXPLAIN, '--ip', '198.51.100.1', '--json']);
    expect(JSON.parse(allowed.stdout).decisions).toMatchObject([
      { credential: 'none', outcome: 'allow', status: null, code: null, authentication: 'ip' },
    ]);
  });

  it('explains 404 for an unknown neuron and for unusable settings', async () => {
    const ports = await withSupport({ public: true, apiKey: true });
    for (const [name, reason] of [
      ['nobody/support', 'the organization is unknown'],
      ['acme/none', 'the neuron is unknown'],
      ['acme/support', 'public: true stands beside other settings'],
    ] as const) {
      const { exitCode, stdout } = await runWith(ports, ['explain', name]);
      expect(exitCode).toBe(0);
      expect(stdout).toBe(`settings    refuses  ${reason}\nAny caller like this: 404 not_found\n`);
    }
    const broken = await withSupport({ public: 'yes' });
    expect((await runWith(broken, EXPLAIN)).stdout).toContain('the settings of the neuron do not parse');
  });

  it('refuses an invalid neuron as wrong usage', async () => {
    const ports = await withSupport({});
    expect((await runWith(ports, ['explain', 'acme'])).exitCode).toBe(2);
  });
});

describe('neuron explain with a token', () => {
  async function explainToken(ports: MemoryPorts, token: string): Promise<string> {
    const { exitCode, stdout, stderr } = await runWith(ports, EXPLAIN, {
      environment: { NEURON_TOKEN: token },
    });
    expect(exitCode).toBe(0);
    expect(stderr).toBe('acme/support as applied, with the token from NEURON_TOKEN:\n');
    // The id is public, and nothing behind it.
    expect(stdout).not.toContain(token.slice(17, 30));
    return stdout;
  }

  it('checks the given key, and names it by its id only', async () => {
    const ports = await withSupport({ apiKey: true });
    const key = await createKey(ports, 'acme');
    const stdout = await explainToken(ports, key);
    expect(stdout).toContain(`credentials passes   the API key ${key.slice(4, 16)} is valid\n`);
    expect(lastLine(stdout)).toBe('Any caller like this: allowed as apiKey');
  });

  it('says why a token is invalid', async () => {
    const ports = await withSupport({ apiKey: true });
    await ports.store.writeNeuron('acme', neuronRecord('acme', 'sales'), 'absent');
    const revoked = await createKey(ports, 'acme');
    await runWith(ports, ['keys', 'revoke', 'acme', revoked, '--yes']);
    const cases = [
      [revoked, 'the API key is revoked'],
      [await createKey(ports, 'acme', '--neurons', 'sales'), 'the API key is not for this neuron'],
      [await createKey(ports, 'other'), 'the API key belongs to another organization'],
      [generateApiKey(createMemoryRandom(99)).key, 'the API key is unknown'],
      [`${revoked.slice(0, -1)}-`, 'the API key is malformed'],
      [`${revoked} ${revoked}`, 'the Authorization header holds no bearer token'],
      ['a.long.token-of-something-else-altogether', 'the token is not an API key'],
    ] as const;
    for (const [token, reason] of cases) {
      const stdout = await explainToken(ports, token);
      expect(stdout).toContain(`credentials refuses  ${reason}\n`);
      expect(lastLine(stdout)).toBe('Any caller like this: 401 unauthorized');
    }
  });

  it('checks expiry at the time of the command', async () => {
    const ports = await withSupport({ apiKey: true });
    const key = await createKey(ports, 'acme', '--expires', '1m');
    expect(lastLine(await explainToken(ports, key))).toBe('Any caller like this: allowed as apiKey');
    await (ports.clock as MemoryClock).advance(60_000);
    expect(await explainToken(ports, key)).toContain('the API key has expired');
  });

  it('reads it from a file or from standard input before NEURON_TOKEN', async () => {
    const ports = await withSupport({ apiKey: true });
    const key = await createKey(ports, 'acme');
    const environment = { NEURON_TOKEN: 'another' };
    const file = write('token', `${key}\n`);
    for (const [around, path, source] of [
      [{ folder, environment }, file, 'token'],
      [{ piped: `${key}\n`, environment }, '-', 'standard input'],
    ] as const) {
      const { stdout, stderr } = await runWith(ports, [...EXPLAIN, '--token-file', path], around);
      expect(lastLine(stdout)).toBe('Any caller like this: allowed as apiKey');
      expect(stderr).toBe(`acme/support as applied, with the token from ${source}:\n`);
    }
  });

  it('refuses a token file that is empty or does not exist', async () => {
    const ports = await withSupport({ apiKey: true });
    const words = [...EXPLAIN, '--token-file'];
    expect((await runWith(ports, [...words, '-'], { piped: '\n' })).exitCode).toBe(2);
    const missing = await runWith(ports, [...words, 'missing'], { folder });
    expect(missing.exitCode).toBe(1);
    expect(missing.stderr).toContain('The token file missing cannot be read.');
  });
});

describe('neuron explain --file', () => {
  const support = (access: string) => `neuron: acme/support\naccess: ${access}\nflow: [{ stop: {} }]\n`;

  /** Runs where no stack can be found. */
  async function runOffline(words: readonly string[]) {
    const terminal = createMemoryTerminal({ folder });
    const reject = () => Promise.reject(new Error('a stack was asked for'));
    const exitCode = await main(words, terminal, (options: GlobalOptions) => {
      const out = createOutput(terminal, options);
      return { options, terminal, out, findStack: reject, connect: reject };
    });
    return { exitCode, ...terminal.printed };
  }

  it('explains settings that are not applied, without a stack', async () => {
    const file = write('closed.yaml', support('{ ips: [198.51.100.0/24] }'));
    const { exitCode, stdout, stderr } = await runOffline([...EXPLAIN, '--ip', '192.0.2.1', '--file', file]);
    expect(exitCode).toBe(0);
    expect(stderr).toBe('acme/support as in closed.yaml:\n');
    expect(stdout.split('\n').slice(-3)).toEqual([
      'ips         refuses  192.0.2.1 is not listed',
      'Any caller like this: 403 ip_not_allowed',
      '',
    ]);
  });

  it('explains the file and not what is applied', async () => {
    const ports = await withSupport({ public: true });
    const file = write('key.yaml', support('{ apiKey: true }'));
    const words = [...EXPLAIN, '--file', file];
    const { stdout } = await runWith(ports, words, { folder });
    expect(stdout.split('\n').slice(-3)).toEqual([
      'Without a valid API key: 401 unauthorized',
      'With a valid API key: allowed as apiKey',
      '',
    ]);
    expect((await runWith(ports, EXPLAIN)).stdout).toContain('Any caller like this: allowed as public');
  });

  it('checks a key against the ids that the settings will belong to', async () => {
    const ports = await withSupport({ public: true });
    const text = `${support('{ apiKey: true }')}---\n${support('{ apiKey: true }').replace('support', 'unborn')}`;
    const words = ['--file', write('two.yaml', text)];
    const key = await createKey(ports, 'acme', '--neurons', 'support');
    const around = { folder, environment: { NEURON_TOKEN: key } };
    const held = await runWith(ports, [...EXPLAIN, ...words], around);
    expect(lastLine(held.stdout)).toBe('Any caller like this: allowed as apiKey');
    const unborn = await runWith(ports, ['explain', 'acme/unborn', ...words], around);
    expect(unborn.stdout).toContain('the API key is not for this neuron');
  });

  it('refuses a file that apply would refuse, with every reason', async () => {
    const file = write('wrong.yaml', support('{ public: true, apiKey: true, referers: [] }'));
    const { exitCode, stdout, stderr } = await runOffline([...EXPLAIN, '--file', file]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('error: wrong.yaml is invalid, so there is no decision to explain.');
    expect(stderr).toContain('wrong.yaml:2:11: access.public');
    expect(stderr).toContain('access.referers: is empty');
  });

  it('refuses a file without the neuron, and one that does not exist', async () => {
    const file = write('other.yaml', support('{ public: true }').replace('support', 'sales'));
    const other = await runOffline([...EXPLAIN, '--file', file]);
    expect(other.exitCode).toBe(1);
    expect(other.stderr).toContain('other.yaml has no settings for acme/support.');
    expect((await runOffline([...EXPLAIN, '--file', 'missing.yaml'])).stderr).toContain(
      'There is no file or folder missing.yaml.',
    );
  });
});
