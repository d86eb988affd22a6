// `npm start -- --watch`: what changes on disk runs, without losing tables or secrets.
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Local } from '../../local/index.ts';
import { type ApplyOutcome, settingsFiles } from './apply-settings.ts';
import { INPUTS, SynthesisFailed, type SynthesisRequest, synthesize } from './synthesize.ts';

/** What is watched, and what to do with it. */
interface WatchSettings {
  readonly synthesis: SynthesisRequest & { readonly signal: AbortSignal };
  /** File or folder with settings, or `none`. */
  readonly settings: string;
  readonly apply: () => Promise<ApplyOutcome>;
  readonly stack: Local;
}

/** How often files are looked at. Polled, since Node's recursive watcher goes deaf to a file that is saved by renaming (24.21, Linux). */
const INTERVAL_MS = 400;

/** Watches until the process ends. A change that cannot run is reported, and what ran before goes on. */
export function watch({ synthesis, settings, apply, stack }: WatchSettings): void {
  const sources = () =>
    INPUTS.flatMap((pattern) => globSync(pattern, { cwd: synthesis.root })).map((file) =>
      join(synthesis.root, file),
    );
  void whenChanged(sources, synthesis.signal, async () => {
    if ((await synthesize(synthesis)) === 'unchanged') return;
    await stack.reload();
    process.stdout.write('restarted with the new template\n');
  });
  void whenChanged(
    () => settingsFiles(settings),
    synthesis.signal,
    async () => {
      if ((await apply()) === 'applied') process.stdout.write(`applied ${settings}\n`);
    },
  );
}

/** Calls `act` after each change of the files, one at a time; a change is over when two looks in a row see the same. */
async function whenChanged(
  files: () => string[],
  signal: AbortSignal,
  act: () => Promise<void>,
): Promise<void> {
  let acted = look(files());
  let before = acted;
  while (!signal.aborted) {
    await sleep(INTERVAL_MS);
    const now = look(files());
    if (now !== acted && now === before) {
      acted = now;
      await act().catch((error: unknown) => process.stderr.write(`${describe(error)}\n`));
    }
    before = now;
  }
}

/** Names, sizes and times of files; a file that goes away while it is looked at counts as gone. */
function look(files: readonly string[]): string {
  return files
    .map((file) => {
      const status = statSync(file, { throwIfNoEntry: false });
      return `${file} ${status?.mtimeMs} ${status?.size} ${status?.ino}`;
    })
    .join('\n');
}

function describe(error: unknown): string {
  if (error instanceof SynthesisFailed) {
    return `${error.output}\nThe app could not be synthesized; what ran before goes on.`;
  }
  return error instanceof Error ? error.message : String(error);
}
