// No value of a request turns the words of an operation into another command.
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../cli/console/operations.ts';
import { createRunCommand } from '../../../cli/console/run-command.ts';
import { createOutput } from '../../../cli/output/print.ts';
import { loadProgram } from '../../../cli/program.ts';
import { someOf, strideOf } from '../../support/every-case.ts';
import { createMemoryPorts, organizationRecord } from '../memory-ports.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';
import { openConsole, send, signIn } from './open-console.ts';

const PARAMETERS = [
  ...[
    'organization',
    'neuron',
    'target',
    'version',
    'key',
    'since',
    'from',
    'to',
    'user',
    'outcome',
    'status',
  ],
  ...['ip', 'deleted', 'id', 'period', 'by', 'referer', 'origin', 'token', 'probe', 'name', 'expires'],
  ...['other', 'kind', 'reason', 'tags', 'cases', 'max-cost', 'sort', 'share', 'budget', 'for'],
  ...['neurons', 'limits', 'retry-after', 'limit', 'range', 'input', 'variables', 'flow', 'message'],
];

function namesBelow(command: Command): string[] {
  return command.commands.flatMap((inner) => [inner.name(), ...inner.aliases(), ...namesBelow(inner)]);
}

/** The name of every command and verb. */
const NAMES = [...new Set(namesBelow(await loadProgram(createMemoryTerminal(), async () => undefined)))];
/** Words that parsers treat as options, and blanks. */
const OTHER = [
  'help',
  '--help',
  '-h',
  '--',
  '--version',
  '--json',
  '--local=/tmp',
  '--stack=other',
  '',
  ' ',
  '\n',
];
/** How many names are there are to each that is tried. */
const STRIDE = 21;

/** Of the names some for each parameter, other ones for the next. */
const hostileOf = (parameter: string) => [
  ...someOf(NAMES.slice(PARAMETERS.indexOf(parameter) % strideOf(STRIDE)), STRIDE),
  ...OTHER,
];

async function leafOf(words: readonly string[]): Promise<string | undefined> {
  let leaf: string | undefined;
  const program = await loadProgram(createMemoryTerminal(), async (parsed) => {
    const names: string[] = [];
    for (let at: Command | null = parsed; at?.parent; at = at.parent) names.unshift(at.name());
    leaf = names.join(' ');
  });
  await program.parseAsync([...words], { from: 'user' }).catch(() => undefined);
  return leaf;
}

describe.each(Object.entries(OPERATIONS))('the operation %s', (_name, operation) => {
  it('runs its own command or none, whatever the value of each parameter is', async () => {
    const plain = {
      organization: 'acme',
      neuron: 'acme/hello',
      target: 'acme',
      version: 'v1',
      other: 'v2',
      key: 'AbCdEfGh1234',
      ...(operation.command.startsWith('users ') ? { user: 'ann' } : {}),
    };
    expect(await leafOf(operation.words({ ...plain, name: 'web' }))).toBe(operation.command);
    // A parameter that the operation does not know changes no word.
    const parsed = new Set<string>();
    for (const name of PARAMETERS)
      for (const value of hostileOf(name)) {
        let words: readonly string[];
        try {
          words = operation.words({ ...plain, name: 'web', [name]: value });
        } catch {
          continue;
        }
        const all = JSON.stringify(words);
        if (parsed.has(all)) continue;
        parsed.add(all);
        expect([operation.command, undefined], `${name}=${value}`).toContain(await leafOf(words));
      }
  });
});

describe('a request that names a verb', () => {
  it('shows the log of an organization of that name, and restores nothing', async () => {
    const ports = createMemoryPorts();
    await ports.store.writeOrganization(organizationRecord('restore'), 'absent');
    const opened = await openConsole(ports);
    try {
      const { cookie } = await signIn(opened);
      for (const operation of ['logs', 'changes']) {
        const got = await send(opened.host, `/api/run/${operation}?target=restore`, { headers: { cookie } });
        expect(got.status, got.text).toBe(200);
        expect(JSON.parse(got.text).command).toMatch(/^neuron logs list restore\b/);
      }
      const other = await send(opened.host, '/api/run/logs?target=verify', { headers: { cookie } });
      expect(JSON.parse(other.text).error.what).toBe('There is no organization verify.');
    } finally {
      await opened.close();
    }
  });

  it('is rejected where the words are those of another command than the operation allows', async () => {
    const ports = createMemoryPorts();
    const terminal = createMemoryTerminal();
    const options = {
      ...{ stack: undefined, region: undefined, profile: undefined, local: undefined },
      ...{ json: false, quiet: false, yes: false, color: false },
    };
    const out = createOutput(terminal, options);
    const session = {
      options,
      terminal,
      out,
      findStack: async () => ports.stack,
      connect: async () => ports,
    };
    const run = createRunCommand(session, loadProgram);
    await expect(run(['logs', 'restore'], { command: 'logs list' })).rejects.toThrow(
      'The console runs `logs list` here, and no other command.',
    );
    await expect(run(['list'], { command: 'list' })).resolves.toMatchObject({ exitCode: 0 });
  });
});
