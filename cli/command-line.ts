// Commands as they are printed in remedies: typed as they stand, they work on the stack that the operator was working on.
import { relative } from 'node:path';
import { DEFAULT_LOCAL_FOLDER } from './options.ts';

/** `neuron WORDS`, with `--local` where a local run is meant; `localFolder` is its data folder. */
export function renderCommand(words: string, localFolder: string | undefined): string {
  if (localFolder === undefined) return `neuron ${words}`;
  const folder = relative('', localFolder);
  return `neuron --local${folder === DEFAULT_LOCAL_FOLDER ? '' : `=${folder}`} ${words}`;
}
