// What the page can ask for: every operation is a command that exists, and changes are known as such.
import { CommanderError } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Execute } from '../../../cli/command/command.ts';
import type { CommandResult } from '../../../cli/console/api.ts';
import { OPERATIONS } from '../../../cli/console/operations.ts';
import { loadProgram } from '../../../cli/program.ts';
import {
  createMemoryPorts,
  logEntry,
  type MemoryPorts,
  neuronRecord,
  organizationRecord,
} from '../memory-ports.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';
import { openConsole, send, signIn } from './open-console.ts';

const INPUT = {
  ...{ organization: 'acme', neuron: 'acme/hello', target: 'acme/hello', version: 'v1', key: 'aaaabbbbcccc' },
  ...{
    since: '1h',
    user: 'ann',
    outcome: 'failed',
    status: '429',
    ip: '203.0.113.7',
    id: 'x',
    ...{ period: 'month', by: 'key' },
  },
  ...{ other: 'v2', share: '5%', budget: '2', for: '24h', kind: 'shadow', reason: '--force' },
  ...{
    name: '--name',
    expires: '90d',
    neurons: 'hello',
    limits: 'cost 50 month',
    tags: 'team=shop',
    ...{ input: '--flow=/etc/passwd', variables: 'tone="warm"', flow: 'flow: []', message: 'Kinder' },
    'retry-after': '1m',
  },
  ...{ referer: 'https://app.example.com', origin: 'https://app.example.com', probe: 'true' },
};
/** Words that only look. */
const READS =
  /^(list|show|logs|usage|status|alerts|limits|doctor|explain|guards report|maintenance status|users erase --dry-run|(versions|keys) (list|show)|versions (compare|(rollout|shadow) status))\b/;

describe('every operation', () => {
  it.each(Object.entries(OPERATIONS))('%s is a command with options that it has', async (name, operation) => {
    let ran: readonly string[] = [];
    const execute: Execute = async () => {
      ran = [name];
    };
    // Of a user and a key, `neuron limits` takes one.
    const words = operation.words(name === 'limits' ? { ...INPUT, key: '' } : INPUT);
    const program = await loadProgram(createMemoryTerminal(), execute);
    const error = await program.parseAsync([...words], { from: 'user' }).catch((thrown: unknown) => thrown);
    expect(error instanceof CommanderError ? error.message : undefined).toBeUndefined();
    expect(ran).toEqual([name]);
    expect(operation.changes).toBe(!READS.test(words.join(' ')));
  });
});

let ports: MemoryPorts;
let opened: Awaited<ReturnType<typeof openConsole>>;
let browser: Awaited<ReturnType<typeof signIn>>;

beforeEach(async () => {
  ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  opened = await openConsole(ports);
  browser = await signIn(opened);
});
afterEach(() => opened.close());

async function read<Value>(path: string): Promise<CommandResult<Value>> {
  const got = await send(opened.host, path, { headers: { cookie: browser.cookie } });
  expect(got.status, got.text).toBe(200);
  return JSON.parse(got.text) as CommandResult<Value>;
}

describe('the console', () => {
  it('shows what the command prints, and the words that print it', async () => {
    await ports.logStore.put(logEntry({ username: '<b>\u202eann</b>' }));
    const { values, command } = await read<{ username: string }>('/api/run/logs?target=acme&since=1d');
    expect(values.map(({ username }) => username)).toEqual(['<b>\u202eann</b>']);
    expect(command).toBe('neuron logs list acme --since=1d');
  });

  it('ends a page of the log after as many entries as were asked for', async () => {
    for (let index = 0; index < 5; index += 1)
      await ports.logStore.put(logEntry({ executionId: `exec-${index}=` }));
    expect(await read('/api/run/logs?target=acme&since=1d&limit=3')).toMatchObject({ more: true });
    expect((await read('/api/run/logs?target=acme&since=1d&limit=3')).values).toHaveLength(3);
    expect(await read('/api/run/logs?target=acme&since=1d&limit=5')).toMatchObject({ more: false });
  });

  it('shows settings as a file, of a name of 63 characters too', async () => {
    const slug = 'n'.repeat(63);
    await ports.store.writeNeuron('acme', neuronRecord('acme', slug), 'absent');
    const { values } = await read<string>(`/api/run/settings?target=acme/${slug}`);
    expect(values.join('')).toContain(`neuron: acme/${slug}`);
  });

  it('says what is wrong with a parameter, and how a failure is solved', async () => {
    const headers = { cookie: browser.cookie };
    const wrong = await send(opened.host, '/api/run/logs?target=acme&status=999', { headers });
    expect(wrong.status).toBe(422);
    expect(JSON.parse(wrong.text).error.what).toContain('HTTP status');
    const missing = await send(opened.host, '/api/run/neurons?organization=nobody', { headers });
    expect(JSON.parse(missing.text).error).toMatchObject({
      what: 'There is no organization nobody.',
      remedy: expect.stringContaining('neuron list'),
    });
  });

  it('records a change as the command does', async () => {
    const body = JSON.stringify({ organization: 'acme', name: '<i>web</i>', expires: '1d' });
    const got = await send(opened.host, '/api/run/createKey', {
      method: 'POST',
      headers: browser.change,
      body,
    });
    expect(JSON.parse(got.text).values[0].key).toMatch(/^nrn_/);
    const { values } = await read<{ actions: string[]; after: object }>('/api/run/changes?target=acme');
    expect(values).toMatchObject([{ actions: ['create_key'], after: { name: '<i>web</i>' } }]);
    expect(JSON.stringify(values)).not.toContain(JSON.parse(got.text).values[0].key);
  });
});
