// Renders commands in messages so that they can be pasted and lead to the same stack.
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Default data folder of `npm start`. */
export const DEFAULT_LOCAL_FOLDER = '.local';

export interface TargetOptions {
  readonly stack: string | undefined;
  readonly region: string | undefined;
  readonly profile: string | undefined;
  /** Data folder of a local run; undefined means AWS. */
  readonly local: string | undefined;
}

/** Commands that need no stack. */
const OFFLINE = 'init|validate|completion|help';
const COMMAND = new RegExp(`\`neuron (?!--|(?:${OFFLINE})\\b)`, 'g');

/** Adds these options to the commands in backticks of a text. */
export function keepTarget(text: string, { stack, region, profile, local }: Partial<TargetOptions>): string {
  const words = [
    ...(local === undefined ? [] : [local === DEFAULT_LOCAL_FOLDER ? '--local' : `--local=${quote(local)}`]),
    ...Object.entries({ stack, region, profile }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name} ${quote(value)}`],
    ),
  ];
  return words.length === 0 ? text : text.replace(COMMAND, () => `\`neuron ${words.join(' ')} `);
}

/** Quotes a word for a POSIX shell where that is needed. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** `neuron WORDS`, with `--local` for the local run in `localFolder`. */
export function renderCommand(words: string, localFolder: string | undefined): string {
  if (localFolder === undefined) return `neuron ${words}`;
  const below = relative('', localFolder);
  const isBelow = !isAbsolute(below) && below.split(sep)[0] !== '..';
  const folder = isBelow ? below || '.' : resolve(localFolder);
  return `neuron --local${folder === DEFAULT_LOCAL_FOLDER ? '' : `=${folder}`} ${words}`;
}
