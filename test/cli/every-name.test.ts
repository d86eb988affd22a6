// Every argument and option that names something stored, of every command: known, by prefix, in full, and unknown.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadProgram } from '../../cli/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  createMemoryPorts,
  logEntry,
  type MemoryPorts,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from './memory-ports.ts';
import { createMemoryTerminal } from './memory-terminal.ts';

const KEY_ID = 'AbCdEfGh1234';

/** Values of a kind of name: those that mean what is stored, and those that must be an error. */
interface Names {
  readonly known: readonly string[];
  readonly wrong: readonly string[];
}

const ORGANIZATION: Names = { known: ['acme'], wrong: ['nobody', 'acm', 'ACME', '', 'id-acme'] };
const NEURON: Names = {
  known: ['acme/hello'],
  wrong: ['acme/nobody', 'nobody/hello', 'acme/hell', 'acme/hello/', ''],
};
const KEY: Names = {
  known: [KEY_ID, `nrn_${KEY_ID}`, `nrn_${KEY_ID}_${'x'.repeat(36)}`],
  wrong: ['ZZZZZZZZZZZZ', 'nrn_ZZZZZZZZZZZZ', KEY_ID.slice(0, 6), KEY_ID.toLowerCase(), 'nonsense', ''],
};
const VERSION: Names = { known: ['v1'], wrong: ['v9', 'V1', '1', 'v', ''] };
const DELETED: Names = { known: [], wrong: ['id-nobody', 'nonsense', ''] };

/** By the placeholder of an argument or the flags of an option. */
const NAMES: Readonly<Record<string, Names>> = {
  '<organization>': ORGANIZATION,
  '[organization]': { ...ORGANIZATION, wrong: ['nobody', 'acm', 'ACME', ''] },
  '[organization...]': ORGANIZATION,
  '<organization[/neuron]>': { known: ['acme', 'acme/hello'], wrong: ['nobody', ...NEURON.wrong] },
  '<organization[/neuron]...>': { known: ['acme', 'acme/hello'], wrong: ['nobody', ...NEURON.wrong] },
  '<organization/neuron>': NEURON,
  '<version>': VERSION,
  '[other]': VERSION,
  '<other>': VERSION,
  '[version]': VERSION,
  '<key>': KEY,
  '--key <key>': KEY,
  '--neurons <slugs>': { known: ['hello'], wrong: ['nobody', 'hello,nobody', 'acme/hello', ''] },
  '--id <id>': { known: ['exec-1='], wrong: ['exec-1', 'exec', 'nobody=', ''] },
  '--deleted <id>': DELETED,
  '--period <period>': { known: ['month', '2026-11'], wrong: ['year', '2026-13', 'Month', ''] },
  '--user <username>': { known: ['ann'], wrong: [''] },
  '--provider <name>': { known: ['demo'], wrong: ['nobody', 'dem', 'Demo', ''] },
  '--ip <range>': {
    known: ['203.0.113.7', '203.0.113.0/24'],
    wrong: ['203.0.113', 'localhost', '0.0.0.0/0', ''],
  },
  '--ip <address>': { known: ['203.0.113.7'], wrong: ['203.0.113', 'localhost', '203.0.113.7/32', ''] },
};

/** Parameters that name nothing stored. */
const OTHERS = [
  '<path...>',
  '<folder>',
  '<file>',
  '[file...]',
  '<shell>',
  '<name>',
  '--against <version>',
  '<username>',
  '--as <kind>',
  '--by <dimension>',
  '--by <subject>',
  '--share <percent>',
  '--budget <dollars>',
  '--reason <text>',
  '--expires <duration>',
  '--overlap <duration>',
  '--file <path>',
  '--first-day <day>',
  '--flow <file>',
  '--for <purpose>',
  '--format <format>',
  '--from <table>',
  '--from <time>',
  '--calls <count>',
  '--cases <count>',
  '--cases <file>',
  '--cached <percent>',
  '--head <head>',
  '--guard <name>',
  '--settings <path>',
  '--stage <stage>',
  '--text <text>',
  '--var <name=value>',
  '--hours <hours>',
  '--limit <metric>',
  '--memory <megabytes>',
  '--organizations <count>',
  '--seconds <seconds>',
  '--hold <reason>',
  '--idempotency-key <key>',
  '--input <text>',
  '--json-file <file>',
  '--junit <file>',
  '--limit <limit>',
  '--markdown <file>',
  '--max-cost <dollars>',
  '--limit <number>',
  '--code <code>',
  '--slower-than <duration>',
  '--provider <provider>',
  '--revision <version>',
  '--for <duration>',
  '--sort <by>',
  '--to <change>',
  '--max-deletions <count>',
  '--message <text>',
  '--messages <file>',
  '--messages [file]',
  '--name <name>',
  '--models <names>',
  '--organization <slug>',
  '--origin <origin>',
  '--outcome <outcome>',
  '--port <port>',
  '--parallel <number>',
  '--out <file>',
  '--out <folder>',
  '--overlay <path>',
  '--record <mode>',
  '--referer <url>',
  '--repeat <number>',
  '--retry-after <duration>',
  '--tag <name=value>',
  '--revision <id>',
  '--of-version <id>',
  '--since <time>',
  '--status <status>',
  '--to <time>',
  '--token <token>',
  '--token-file <path>',
  '--url <address>',
];

/** They call over HTTP, where the service answers for names, or run until they are ended. */
const NOT_RUN = ['call', 'console'];

const FLOW = join(temporaryFolder(), 'flow.yaml');
writeFileSync(FLOW, 'flow: [{ serveOutput: { text: Hello } }]\n');

/** Values of what a command cannot do without. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'keys create': ['--name', 'web'],
  'keys update': ['--clear-limits'],
  'secrets set': ['--for', 'jwt'],
  'secrets remove': ['--for', 'jwt'],
  'versions key': ['--new'],
  'versions try': ['--input', 'Hello'],
  'versions save': ['--flow', FLOW, '--message', 'A draft'],
};

interface Leaf {
  readonly words: readonly string[];
  readonly command: Command;
}

function leavesOf(command: Command, words: readonly string[] = []): Leaf[] {
  const own = words.length > 0 && hasAction(command) ? [{ words, command }] : [];
  return [...own, ...command.commands.flatMap((inner) => leavesOf(inner, [...words, inner.name()]))];
}

function hasAction(command: Command): boolean {
  return (command as unknown as { _actionHandler: unknown })._actionHandler != null;
}

const LEAVES = leavesOf(await loadProgram(createMemoryTerminal(), async () => undefined));

const placeholder = (argument: Argument): string => {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
};
const takesValue = (option: Option) => option.required || option.optional;

let ports: MemoryPorts;

beforeEach(async () => {
  ports = createMemoryPorts();
  await ports.store.writeOrganization(
    organizationRecord('acme', { providers: { demo: { type: 'echo' } } }),
    'absent',
  );
  await ports.store.writeNeuron(
    'acme',
    neuronRecord('acme', 'hello', { access: { public: true } }),
    'absent',
  );
  await ports.store.createVersion('acme', {
    ...{ id: 'v1', neuronId: 'id-hello', number: 1, flow: [{ serve: 'Hello' }], flowDigest: '0'.repeat(64) },
    ...{ createdAt: '2026-11-20T08:00:00.000Z', author: 'local', message: undefined },
  });
  await ports.keys.create('d1', {
    ...{ keyId: KEY_ID, organizationId: 'id-acme', name: 'web', prefix: `nrn_${KEY_ID}`, lastFour: 'zzzz' },
    ...{ createdAt: '2026-11-21T00:00:00.000Z', createdBy: 'ada' },
  });
  await ports.logStore.put(logEntry({ username: 'ann', keyId: KEY_ID, timeMs: NOW_MS - 1000 }));
  ports.secretValues.set('id-acme/jwt/name', 'a-secret-of-thirty-two-characters');
});

/** The command line with `value` in place of one argument, and stored names in place of the others. */
function lineWith({ words, command }: Leaf, replaced: Argument, value: string): string[] {
  const values = command.registeredArguments.map((argument) =>
    argument === replaced ? value : (NAMES[placeholder(argument)]?.known[0] ?? 'name'),
  );
  return [...words, ...values, ...(REQUIRED[words.join(' ')] ?? [])];
}

function lineWithOption(leaf: Leaf, option: Option, value: string): string[] {
  const { words, command } = leaf;
  const values = command.registeredArguments
    .filter(({ required }) => required)
    .map((argument) => NAMES[placeholder(argument)]?.known[0] ?? 'name');
  return [...words, ...values, ...(REQUIRED[words.join(' ')] ?? []), `${option.long}=${value}`];
}

const run = (words: readonly string[]) =>
  runWith(ports, ['--yes', ...words], { piped: 'a-secret-of-thirty-two-characters' });

const CASES = LEAVES.filter(({ words }) => !NOT_RUN.includes(words.join(' '))).flatMap((leaf) => [
  ...leaf.command.registeredArguments.flatMap((argument) => {
    const names = NAMES[placeholder(argument)];
    const build = (value: string) => lineWith(leaf, argument, value);
    return names === undefined
      ? []
      : [{ title: `${leaf.words.join(' ')} ${placeholder(argument)}`, names, build }];
  }),
  ...leaf.command.options.flatMap((option) => {
    const names = NAMES[option.flags];
    const build = (value: string) => lineWithOption(leaf, option, value);
    return names === undefined ? [] : [{ title: `${leaf.words.join(' ')} ${option.flags}`, names, build }];
  }),
]);

describe('a name on a command line', () => {
  it('is of a kind that is tested here, or names nothing stored', () => {
    const seen = LEAVES.flatMap(({ command }) => [
      ...command.registeredArguments.map(placeholder),
      ...command.options.filter(takesValue).map(({ flags }) => flags),
    ]);
    expect([...new Set(seen)].filter((one) => NAMES[one] === undefined && !OTHERS.includes(one))).toEqual([]);
    expect([...Object.keys(NAMES), ...OTHERS].filter((one) => !seen.includes(one))).toEqual([]);
    expect(CASES.length).toBeGreaterThan(40);
  });

  describe.each(CASES)('$title', ({ names, build }) => {
    it.each(names.wrong)('is an error for %j', async (value) => {
      const { exitCode, stdout, stderr } = await run(build(value));
      // It shows what a caller of that name gets, who is told nothing.
      if (/^settings .* the (neuron|organization) is unknown$/m.test(stdout)) return;
      expect(exitCode, stdout).not.toBe(0);
      expect(stderr).toContain('error: ');
      expect(stdout).toBe('');
    });

    it.skipIf(names.known.length === 0).each(names.known)('is found as %j', async (value) => {
      const { stderr } = await run(build(value));
      expect(stderr).not.toMatch(/There is no|has no (key|version)|It must be/);
    });
  });
});
