// `neuron completion`: a script that completes commands and options in the shell.
import { Argument, type Command } from 'commander';
import type { Bind } from '../session/session.ts';
import { type CompletionNode, renderCompletion, SHELLS, type Shell } from './completion-scripts.ts';

export function registerCompletion(program: Command, bind: Bind): void {
  program
    .command('completion')
    .description('Prints a script that completes this command in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action(
      bind(async (session, { args: [shell] }) => {
        session.out.raw(renderCompletion(shell as Shell, toCompletionNodes(program)));
      }),
    );
}

/** The tree below a command, parents first; every node offers the global options too. */
export function toCompletionNodes(program: Command): readonly CompletionNode[] {
  const nodeOf = (command: Command, path: readonly string[]): CompletionNode[] => [
    {
      path,
      commands: command.commands.map((one) => ({ name: one.name(), description: one.description() })),
      options: [...new Set([...command.options, ...program.options])]
        .filter(({ hidden, long }) => !hidden && long !== undefined)
        .map(({ long = '', description }) => ({ long, description }))
        .concat({ long: '--help', description: 'what a command does and takes' }),
    },
    ...command.commands.flatMap((one) => nodeOf(one, [...path, one.name()])),
  ];
  return nodeOf(program, []);
}
