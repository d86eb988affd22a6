// A declared command: its values have the declared types, its result is printed, and what excludes each other is refused.
import { Command } from 'commander';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { argument, command, flag, option, type RegisteredCommand } from '../../../cli/command/command.ts';
import { EXIT, type ExitCode } from '../../../cli/output/failure.ts';
import { createOutput } from '../../../cli/output/print.ts';
import type { Session } from '../../../cli/session/session.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';

/** Runs words of a command line with this command alone. */
async function run(declared: RegisteredCommand, words: readonly string[], json = false) {
  const terminal = createMemoryTerminal();
  const out = createOutput(terminal, { json, quiet: false, yes: false, color: false });
  const program = new Command('neuron').exitOverride().configureOutput({ writeErr: terminal.stderr.write });
  let exitCode: ExitCode | undefined;
  declared.register(program, async (_parsed, body) => {
    exitCode = await body({ out } as Session);
  });
  await program.parseAsync([...words], { from: 'user' }).catch(() => {
    exitCode = EXIT.usage;
  });
  return { exitCode, ...terminal.printed };
}

const COLOURS = ['red', 'blue'] as const;
const UNITS = ['m', 'km'] as const;

describe('the values of a command', () => {
  it('have the types and the names of their declarations', async () => {
    const seen: unknown[] = [];
    const declared = command({
      name: 'make',
      description: '',
      arguments: {
        size: argument('<size>', '', Number),
        colour: argument('[colour]', '', COLOURS),
      },
      options: {
        length: option('--len <metres>', '', Number),
        unit: option('--unit <unit>', '', UNITS, { default: 'm' }),
        isNew: flag('--new', ''),
        noCheck: flag('--no-check', ''),
      },
      async run(input) {
        expectTypeOf(input.size).toEqualTypeOf<number>();
        expectTypeOf(input.colour).toEqualTypeOf<'red' | 'blue' | undefined>();
        expectTypeOf(input.length).toEqualTypeOf<number | undefined>();
        expectTypeOf(input.unit).toEqualTypeOf<'m' | 'km'>();
        expectTypeOf(input.isNew).toEqualTypeOf<boolean>();
        seen.push(input);
      },
    });
    await run(declared, ['make', '3', 'red', '--len', '4', '--new', '--no-check']);
    await run(declared, ['make', '3']);
    expect(seen).toEqual([
      { size: 3, colour: 'red', length: 4, unit: 'm', isNew: true, noCheck: true },
      { size: 3, colour: undefined, length: undefined, unit: 'm', isNew: false, noCheck: false },
    ]);
  });

  it('are several where an argument or an option is repeated', async () => {
    const seen: unknown[] = [];
    const declared = command({
      name: 'sum',
      description: '',
      arguments: { numbers: argument('<number...>', '', Number) },
      options: {
        tags: option('--tag <tag>', '', (text, before: readonly string[] = []) => [...before, text]),
      },
      async run({ numbers, tags }) {
        expectTypeOf(numbers).toEqualTypeOf<readonly [number, ...number[]]>();
        seen.push([numbers, tags]);
      },
    });
    await run(declared, ['sum', '1', '2', '--tag', 'a', '--tag', 'b']);
    expect(seen).toEqual([
      [
        [1, 2],
        ['a', 'b'],
      ],
    ]);
    expect((await run(declared, ['sum'])).exitCode).toBe(EXIT.usage);
  });

  it('of options of the command above are read wherever they stand', async () => {
    const seen: unknown[] = [];
    const above = { since: option('--since <time>', '') };
    const declared = command({
      name: 'logs',
      description: '',
      options: above,
      commands: [
        command({
          name: 'export',
          description: '',
          inherited: above,
          async run({ since }) {
            seen.push(since);
          },
        }),
      ],
    });
    await run(declared, ['logs', '--since', '1h', 'export']);
    await run(declared, ['logs', 'export', '--since', '2h']);
    expect(seen).toEqual(['1h', '2h']);
  });
});

describe('the result of a command', () => {
  const listing = command({
    name: 'list',
    description: '',
    arguments: { owner: argument('<owner>', '') },
    result: {
      columns: [{ head: 'NAME', cell: ({ name }: { readonly name: string }) => name }],
      none: ({ owner }) => `${owner} has nothing.`,
    },
    run: async ({ owner }) => (owner === 'acme' ? [{ name: 'a' }, { name: 'b' }] : []),
  });

  it('is a table or lines of JSON where it is a list, and a message where there is none', async () => {
    expect(await run(listing, ['list', 'acme'])).toMatchObject({ stdout: 'NAME\na\nb\n', stderr: '' });
    expect((await run(listing, ['list', 'acme'], true)).stdout).toBe('{"name":"a"}\n{"name":"b"}\n');
    expect(await run(listing, ['list', 'beta'])).toMatchObject({ stdout: '', stderr: 'beta has nothing.\n' });
  });

  it('is a text or JSON where it is one value', async () => {
    const showing = command({
      name: 'show',
      description: '',
      result: { text: ({ size }: { readonly size: number }) => `It has size ${size}.` },
      run: async () => ({ size: 3 }),
    });
    expect((await run(showing, ['show'])).stdout).toBe('It has size 3.\n');
    expect((await run(showing, ['show'], true)).stdout).toBe('{"size":3}\n');
  });

  it('is an exit code of a command that prints as it goes', async () => {
    const failing = command({ name: 'check', description: '', run: async () => EXIT.failed });
    expect((await run(failing, ['check'])).exitCode).toBe(EXIT.failed);
  });
});

describe('options that exclude each other', () => {
  const declared = command({
    name: 'call',
    description: '',
    options: {
      isRaw: flag('--raw', ''),
      isStream: flag('--stream', ''),
      send: flag('--send', ''),
      noSend: flag('--no-send', ''),
    },
    conflicts: [
      { option: 'isRaw', with: ['isStream'] },
      { option: 'send', with: ['noSend'], remedy: 'Pass neither.' },
    ],
    run: async () => EXIT.done,
  });

  it('are refused with what was passed and how to solve it', async () => {
    for (const words of [
      ['call', '--raw', '--stream'],
      ['call', '--stream', '--raw'],
    ])
      expect(await run(declared, words)).toEqual({
        exitCode: EXIT.usage,
        stdout: '',
        stderr: 'error: --raw and --stream were both given.\n  Pass one of them.\n',
      });
    expect((await run(declared, ['call', '--no-send', '--send'])).stderr).toBe(
      'error: --send and --no-send were both given.\n  Pass neither.\n',
    );
  });

  it('pass alone, and other errors of the parser stay as they are', async () => {
    expect((await run(declared, ['call', '--no-send'])).exitCode).toBe(EXIT.done);
    expect((await run(declared, ['call', '--colour'])).stderr).toContain("unknown option '--colour'");
  });
});
