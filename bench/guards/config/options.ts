// The options of `npm run guards:report`.
import { parseArgs } from 'node:util';
import type { ConfigRun } from './run.ts';

/** Throws for an option that is not there. */
export function readOptions(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      sets: { type: 'string', default: 'sets' },
      config: { type: 'string' },
      organization: { type: 'string' },
      texts: { type: 'string' },
      seed: { type: 'string', default: '1' },
      'at-once': { type: 'string', default: '1' },
      fake: { type: 'boolean', default: false },
      version: { type: 'string', multiple: true, default: [] as string[] },
    },
  }).values;
}

/** Undefined without `--config`. Throws for a number that is none, and for a version without a guard. */
export function toConfigRun(options: ReturnType<typeof readOptions>): ConfigRun | undefined {
  const { config, organization, sets, fake: isFake } = options;
  if (config === undefined) return undefined;
  return {
    config,
    organization,
    sets,
    isFake,
    seed: wholeNumber('seed', options.seed),
    texts: options.texts === undefined ? null : wholeNumber('texts', options.texts),
    atOnce: wholeNumber('at-once', options['at-once']),
    versions: Object.fromEntries(options.version.map(toVersion)),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new Error(`--${name} ${text} is no whole number from 1 on`);
  return Number(text);
}

function toVersion(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new Error(`--version ${text} is not GUARD=TEXT`);
  return [text.slice(0, at), text.slice(at + 1)];
}
