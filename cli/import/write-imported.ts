// The end of every `neuron import`: new files, the list of what was not taken, and the steps that follow.
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { printYaml } from '../../adapters/yaml/print-yaml.ts';
import { isLoopbackHost } from '../../core/settings/address-policy.ts';
import { modelName } from '../../core/settings/scalars.ts';
import { parseOrganization } from '../command/arguments.ts';
import { option } from '../command/command.ts';
import { CommandFailure } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import { writeNewFiles } from '../output/write-new-files.ts';
import { keepValid } from './keep-valid.ts';
import type { ProviderDocument } from './providers.ts';

/** A part of the configuration that is not in the settings, and what stands in its place. */
export interface ImportNote {
  readonly path: string;
  readonly text: string;
}

/** Adds a line to the list of what has no counterpart, or has to be done by hand. */
export type Note = (path: string, text: string) => void;

export interface ImportedSettings {
  readonly organization: Readonly<Record<string, unknown>>;
  readonly neurons: readonly Readonly<Record<string, unknown>>[];
  /** Names of secrets to set, with where their values stand today. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly notes: readonly ImportNote[];
}

export const importOptions = {
  organization: option('--organization <slug>', 'the organization to make', parseOrganization, {
    required: true,
  }),
  out: option(
    '--out <folder>',
    'target folder, created if it does not exist (default: the name of the organization)',
  ),
  models: option(
    '--models <names>',
    'names of models that callers send, separated by commas, where the file leaves them open',
    parseModels,
  ),
};

function parseModels(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !modelName.safeParse(name).success);
  if (wrong === undefined) return [...new Set(names)];
  throw new InvalidArgumentError(`${JSON.stringify(wrong)} is no name of a model, such as gpt-4.1-mini.`);
}

/** Providers that the deployed service cannot reach. */
function onThisMachine({ organization }: ImportedSettings): readonly ImportNote[] {
  const providers = Object.entries(organization['providers'] as Readonly<Record<string, ProviderDocument>>);
  return providers
    .filter(([, one]) => 'baseUrl' in one && one.baseUrl !== undefined && isOnThisMachine(one.baseUrl))
    .map(([name]) => ({
      path: `providers: ${name}`,
      text: 'an address of this machine is for `neuron --local` alone: write one that the service can reach',
    }));
}

function isOnThisMachine(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}

const COLUMNS: readonly Column<ImportNote>[] = [
  { head: 'NOT TAKEN', cell: ({ path }) => path },
  { head: 'WHY, OR WHAT STANDS IN ITS PLACE', cell: ({ text }) => text },
];

/** Where an import read and writes. `by`: the command's own words, for the head of the files. */
export interface ImportTarget {
  readonly by: string;
  readonly file: string;
  readonly folder: string;
}

/**
 * Writes what is valid of the settings, to `organization.yaml` and `neurons.yaml`. Throws `CommandFailure` where one exists or nothing can be
 * called; nothing is written then.
 */
export function writeImported(
  imported: ImportedSettings,
  { by, file, folder }: ImportTarget,
  out: Output,
): void {
  const settings = keepValid(imported);
  if (settings.neurons.length === 0)
    throw new CommandFailure({
      what: `Nothing of ${file} can be called. Nothing was written.`,
      why: settings.notes.map(({ path, text }) => `${path}: ${text}`).join('\n'),
      remedy: 'Say what is missing, in the file or with --models.',
    });
  const organization = String(settings.organization['organization']);
  const head = `# Made from ${file.split(/[\\/]/).at(-1)} by \`neuron import ${by}\`. Change what you like: \`neuron validate\` says whether it holds.\n`;
  const commented = settings.neurons.map((neuron) => {
    const names = (neuron['models'] as readonly string[] | undefined) ?? [];
    const sent = names.length === 0 ? String(neuron['neuron']).split('/')[1] : names.join(', ');
    return `# Callers of the base URL /v1/${organization} send: ${sent}\n${printYaml([neuron])}`;
  });
  const files = new Map([
    [
      join(folder, 'organization.yaml'),
      `${head}# Keys are secrets: set each with \`neuron secrets set\`.\n${printYaml([settings.organization])}`,
    ],
    [join(folder, 'neurons.yaml'), `${head}${commented.join('---\n')}`],
  ]);
  writeNewFiles(files, 'Choose another folder with --out.');
  out.list([...settings.notes, ...onThisMachine(settings)], COLUMNS, 'Everything was taken.');
  out.message(
    `Wrote ${count(settings.neurons.length, 'neuron')} of ${organization} to ${folder}. Nothing was applied.`,
  );
  if (settings.secrets.size > 0) {
    const lines = [...settings.secrets].map(
      ([name, from]) => `  neuron secrets set ${organization} ${name} --for providers    # ${from}`,
    );
    out.message(['Set the keys of its providers, from standard input:', ...lines].join('\n'));
  }
  out.message(`Next: neuron validate ${folder}, then neuron apply ${folder}`);
}
