// `neuron import portkey`: settings files out of configurations of Portkey's gateway. Writes files only.
import { readFileSync } from 'node:fs';
import { parse as parsePath, resolve } from 'node:path';
import { parse } from 'yaml';
import { argument, command } from '../command/command.ts';
import { CommandFailure } from '../output/failure.ts';
import { type NamedConfig, parseConfigs } from './portkey/config.ts';
import { toSettings } from './portkey/documents.ts';
import { importOptions, writeImported } from './write-imported.ts';

export const importPortkey = command({
  name: 'portkey',
  description:
    "Writes settings files from configurations of Portkey's gateway, and lists what has no counterpart.",
  arguments: { file: argument('<file>', 'a configuration as JSON, or a list of them as its API gives it') },
  options: importOptions,
  async run({ file, organization, out: target, models }, { out, terminal }) {
    const path = resolve(terminal.folder, file);
    const settings = toSettings(readConfigs(path), organization, models);
    const folder = resolve(terminal.folder, target ?? organization);
    writeImported(settings, { by: 'portkey', file, folder }, out);
  },
});

function readConfigs(path: string): readonly NamedConfig[] {
  let value: unknown;
  try {
    // Every JSON is YAML.
    value = parse(readFileSync(path, 'utf8'), { maxAliasCount: 100 });
  } catch (error) {
    throw new CommandFailure({
      what: `${path} cannot be read as JSON.`,
      why: error instanceof Error ? error.message.split('\n')[0] : undefined,
      remedy: 'Pass a configuration as JSON, as it stands in the header x-portkey-config.',
    });
  }
  const parsed = parseConfigs(value, parsePath(path).name);
  if ('configs' in parsed) return parsed.configs;
  throw new CommandFailure({
    what: `${path} is no configuration of Portkey.`,
    why: parsed.problem,
    remedy: 'Pass a configuration as JSON, with a provider or with targets.',
  });
}
