// `npm start -- --watch`: what changes on disk runs, without losing tables or secrets.
import { watch as watchFolder } from 'node:fs';
import { join } from 'node:path';
import type { Local } from '../../local/index.ts';
import { applySettings } from './apply-settings.ts';
import { SynthesisFailed, type SynthesisRequest, synthesize } from './synthesize.ts';

/** What is watched, and what to do with it. */
export interface WatchSettings {
  readonly synthesis: SynthesisRequest;
  /** Settings to apply, or `none`. */
  readonly apply: string;
  readonly stack: Local;
}

const SOURCE_FOLDERS = ['lib', 'lambdas', 'core', 'adapters'];
/** An editor writes a file in several steps. */
const SETTLE_MS = 150;

/** Watches until the process ends. A change that cannot run is reported, and what ran before goes on. */
export function watch({ synthesis, apply, stack }: WatchSettings): void {
  const restart = oneAtATime(async () => {
    if ((await synthesize(synthesis)) === 'unchanged') return;
    await stack.reload();
    process.stdout.write('restarted with the new template\n');
  });
  const applyAgain = oneAtATime(async () => {
    const outcome = await applySettings(apply, stack.dataFolder);
    if (outcome === 'applied') process.stdout.write(`applied ${apply}\n`);
  });
  for (const folder of SOURCE_FOLDERS) {
    watchFolder(join(synthesis.root, folder), { recursive: true }, restart);
  }
  if (apply !== 'none') watchFolder(apply, { recursive: true }, applyAgain);
}

/** Runs once for changes that come together, and once more for those that come while it runs. */
function oneAtATime(work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running
        .then(work)
        .catch((error: unknown) => process.stderr.write(`${describe(error)}\n`))
        .then(() => undefined);
    }, SETTLE_MS);
  };
}

function describe(error: unknown): string {
  if (error instanceof SynthesisFailed)
    return `${error.output}\nThe app could not be synthesized; what ran before goes on.`;
  return error instanceof Error ? error.message : String(error);
}
