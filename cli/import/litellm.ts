// `neuron import litellm`: settings files out of a configuration of LiteLLM's proxy. Writes files only.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { printYaml } from '../../adapters/yaml/print-yaml.ts';
import { parseOrganization } from '../command/arguments.ts';
import { argument, command, option } from '../command/command.ts';
import { CommandFailure } from '../output/failure.ts';
import { count } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import { writeNewFiles } from '../output/write-new-files.ts';
import { parseConfig } from './config.ts';
import { type ImportedSettings, type ImportNote, toSettings } from './documents.ts';

const COLUMNS: readonly Column<ImportNote>[] = [
  { head: 'NOT TAKEN', cell: ({ path }) => path },
  { head: 'WHY, OR WHAT STANDS IN ITS PLACE', cell: ({ text }) => text },
];

export const importLitellm = command({
  name: 'litellm',
  description:
    "Writes settings files from a configuration of LiteLLM's proxy, and lists what has no counterpart.",
  arguments: { file: argument('<file>', 'its config.yaml') },
  options: {
    organization: option('--organization <slug>', 'the organization to make', parseOrganization, {
      required: true,
    }),
    out: option(
      '--out <folder>',
      'target folder, created if it does not exist (default: the name of the organization)',
    ),
  },
  async run({ file, organization, out: target }, { out, terminal }) {
    const settings = toSettings(readConfig(resolve(terminal.folder, file)), organization);
    const folder = resolve(terminal.folder, target ?? organization);
    writeNewFiles(toFiles(settings, file, folder), 'Choose another folder with --out.');
    out.list(settings.notes, COLUMNS, 'Everything was taken.');
    const made = `${count(settings.neurons.length, 'neuron')} of ${organization}`;
    out.message(`Wrote ${made} to ${folder}. Nothing was applied.`);
    if (settings.secrets.size > 0) {
      const lines = [...settings.secrets].map(
        ([name, from]) => `  neuron secrets set ${organization} ${name} --for providers    # ${from}`,
      );
      out.message(['Set the keys of its providers, from standard input:', ...lines].join('\n'));
    }
    out.message(`Next: neuron validate ${folder}, then neuron apply ${folder}`);
  },
});

function readConfig(path: string) {
  let value: unknown;
  try {
    value = parse(readFileSync(path, 'utf8'), { maxAliasCount: 100, merge: true });
  } catch (error) {
    throw new CommandFailure({
      what: `${path} cannot be read as YAML.`,
      why: error instanceof Error ? error.message.split('\n')[0] : undefined,
      remedy: 'Pass the config.yaml that `litellm --config` gets.',
    });
  }
  const parsed = parseConfig(value);
  if ('config' in parsed) return parsed.config;
  throw new CommandFailure({
    what: `${path} is no configuration of LiteLLM.`,
    why: parsed.problem,
    remedy: 'Pass the config.yaml that `litellm --config` gets, with its model_list.',
  });
}

/** Texts by path. */
function toFiles(
  { organization, neurons }: ImportedSettings,
  file: string,
  folder: string,
): ReadonlyMap<string, string> {
  const head = `# Made from ${file.split(/[\\/]/).at(-1)} by \`neuron import litellm\`. Change what you like: \`neuron validate\` says whether it holds.\n`;
  const commented = neurons.map((neuron) => {
    const names = (neuron['models'] as readonly string[]).join(', ');
    return `# Callers of the base URL /v1/${organization['organization']} send: ${names}\n${printYaml([neuron])}`;
  });
  return new Map([
    [
      join(folder, 'organization.yaml'),
      `${head}# Keys are secrets: set each with \`neuron secrets set\`.\n${printYaml([organization])}`,
    ],
    [join(folder, 'neurons.yaml'), `${head}${commented.join('---\n')}`],
  ]);
}
