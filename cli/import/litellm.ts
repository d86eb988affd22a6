// `neuron import litellm`: settings files out of a configuration of LiteLLM's proxy. Writes files only.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { argument, command } from '../command/command.ts';
import { CommandFailure } from '../output/failure.ts';
import { parseConfig } from './config.ts';
import { toSettings } from './documents.ts';
import { importOptions, writeImported } from './write-imported.ts';

export const importLitellm = command({
  name: 'litellm',
  description:
    "Writes settings files from a configuration of LiteLLM's proxy, and lists what has no counterpart.",
  arguments: { file: argument('<file>', 'its config.yaml') },
  options: importOptions,
  async run({ file, organization, out: target, models }, { out, terminal }) {
    const settings = toSettings(readConfig(resolve(terminal.folder, file)), organization, models);
    const folder = resolve(terminal.folder, target ?? organization);
    writeImported(settings, { by: 'litellm', file, folder }, out);
  },
});

function readConfig(path: string) {
  let value: unknown;
  // LiteLLM reads YAML 1.1, where 80_000 is a number and `off` is false.
  try {
    value = parse(readFileSync(path, 'utf8'), { maxAliasCount: 100, merge: true, version: '1.1' });
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
