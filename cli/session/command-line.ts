// Commands as they are printed in remedies: typed as they stand, they work on the stack that the operator was working on.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { DEFAULT_LOCAL_FOLDER } from './options.ts';

/** `neuron WORDS`, with `--local` where a local run is meant; `localFolder` is its data folder. */
export function renderCommand(words: string, localFolder: string | undefined): string {
  if (localFolder === undefined) return `neuron ${words}`;
  const below = relative('', localFolder);
  const isBelow = !isAbsolute(below) && below.split(sep)[0] !== '..';
  const folder = isBelow ? below || '.' : resolve(localFolder);
  return `neuron --local${folder === DEFAULT_LOCAL_FOLDER ? '' : `=${folder}`} ${words}`;
}
