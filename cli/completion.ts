// `neuron completion`: prints a script that completes commands and options in the shell.
import type { Command } from 'commander';
import { argument, command, type LoadProgram, type RegisteredCommand } from './command/command.ts';

/** A command and the words that may follow it. */
interface CompletionNode {
  /** The words after the program's name: `[]`, `['secrets']`, `['secrets', 'set']`. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly { readonly long: string; readonly description: string }[];
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `loadProgram` loads all commands, this one included. */
export function createCompletion(loadProgram: LoadProgram): RegisteredCommand {
  return command({
    name: 'completion',
    arguments: { shell: argument('<shell>', 'the shell', SHELLS) },
    async run({ shell }, { out, terminal }) {
      const program = await loadProgram(terminal, async () => undefined);
      out.raw(SCRIPTS[shell](toCompletionNodes(program)));
    },
  });
}

/** The tree below a command, parents first; every node offers the global options too. */
function toCompletionNodes(program: Command): readonly CompletionNode[] {
  const toNodes = (command: Command, path: readonly string[]): CompletionNode[] => [
    {
      path,
      commands: command.commands.map((one) => ({ name: one.name(), description: one.description() })),
      options: [...new Set([...command.options, ...program.options])]
        .filter(({ hidden, long }) => !hidden && long !== undefined)
        .map(({ long = '', description }) => ({ long, description }))
        .concat({ long: '--help', description: 'show help for a command' }),
    },
    ...command.commands.flatMap((one) => toNodes(one, [...path, one.name()])),
  ];
  return toNodes(program, []);
}

const SCRIPTS: Readonly<Record<Shell, (nodes: readonly CompletionNode[]) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};

/** The paths of all commands, as a pattern: a script walks them by the words before the cursor, and skips options and values. */
function walk(nodes: readonly CompletionNode[]): string {
  const deeper = nodes.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(' ')}"`);
  return deeper.join('|');
}

function renderBash(nodes: readonly CompletionNode[]): string {
  return `# bash completion of neuron. Load it with: source <(neuron completion bash)
_neuron() {
  local at="" word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${at:+$at }$word"
    case "$next" in
      ${walk(nodes)}) at="$next" ;;
    esac
  done
  local words=""
  case "$at" in
${nodes.map((node) => `    "${node.path.join(' ')}") words="${listWords(node)}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _neuron neuron
`;
}

function renderZsh(nodes: readonly CompletionNode[]): string {
  return `#compdef neuron
# zsh completion of neuron. Load it after compinit with: source <(neuron completion zsh)
_neuron() {
  local at="" word next
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${at:+$at }$word"
    case "$next" in
      (${walk(nodes)}) at="$next" ;;
    esac
  done
  case "$at" in
${nodes.map((node) => `    ("${node.path.join(' ')}") compadd -- ${listWords(node)} && return ;;`).join('\n')}
  esac
  _files
}
compdef _neuron neuron
`;
}

function renderFish(nodes: readonly CompletionNode[]): string {
  const lines = nodes.flatMap((node) => {
    const condition = `__neuron_at "${node.path.join(' ')}"`;
    return [
      ...node.commands.map(
        ({ name, description }) => `complete -c neuron -n '${condition}' -a ${name} -d ${quote(description)}`,
      ),
      ...node.options.map(
        ({ long, description }) =>
          `complete -c neuron -n '${condition}' -l ${long.slice(2)} -d ${quote(description)}`,
      ),
    ];
  });
  const paths = nodes.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(' ')}"`);
  return `# fish completion of neuron. Load it with: neuron completion fish | source
function __neuron_at
    set -l at ""
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$at $word")
        if contains -- "$next" ${paths.join(' ')}
            set at "$next"
        end
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function listWords({ commands, options }: CompletionNode): string {
  return [...commands.map(({ name }) => name), ...options.map(({ long }) => long)].join(' ');
}

/** Only a backslash and a single quote are special within single quotes of fish. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
