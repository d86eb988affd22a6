// Every command that the guides show is one, with options that it has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { loadProgram } from '../../cli/program.ts';
import { ROOT } from '../source-tree.ts';

const GUIDES = [
  'README.md',
  'docs/deploy.md',
  'docs/operations.md',
  'docs/scale.md',
  'docs/costs.md',
  'docs/verified.md',
  'examples/cdk/README.md',
];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const scripts: Readonly<Record<string, string>> = JSON.parse(read('package.json')).scripts;
const program = await loadProgram({} as never, (() => () => undefined) as never);

/** What stands behind a word in the guides, up to the end of the line, of the quote or to a comment. */
function commandsAfter(words: string): string[] {
  return GUIDES.flatMap((file) =>
    [...read(file).matchAll(new RegExp(`${words} ([a-z-][^\`\\n#|&]*)`, 'g'))].map(([, rest]) =>
      rest!.replaceAll(/[[\]]/g, '').trim(),
    ),
  );
}

/** What is wrong with the words of a `neuron` command; empty where nothing is. */
function errorsOf(command: string): string[] {
  const words = command.split(/\s+/);
  let at: Command = program;
  for (const word of words.filter((one) => !one.startsWith('-'))) {
    const next = at.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    at = next;
  }
  if (at === program || (at.commands.length > 0 && at.registeredArguments.length === 0))
    return [`no such command: ${command}`];
  // Options of `logs` apply to its commands, too.
  const known = [...program.options, ...(at.parent?.options ?? []), ...at.options].map(({ long }) => long);
  return words
    .filter((word) => word.startsWith('--'))
    .map((word) => word.replace(/=.*/, ''))
    .filter((option) => !known.includes(option))
    .map((option) => `${command}: no option ${option}`);
}

describe('the guides', () => {
  it('show `neuron` commands that exist', () => {
    const commands = commandsAfter('npx neuron').filter((command) => !command.startsWith('…'));
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.flatMap(errorsOf)).toEqual([]);
  });

  it('would be caught showing one that does not', () => {
    expect(errorsOf('dance ORG')).toEqual(['no such command: dance ORG']);
    expect(errorsOf('logs acme --colour')).toEqual(['logs acme --colour: no option --colour']);
  });

  it('show scripts of npm that exist', () => {
    const names = commandsAfter('npm run').map((command) => command.split(/\s/)[0]!);
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(names).toContain('smoke');
  });
});
