// `npm start -- --watch`: reloads changed sources and settings, and keeps tables and secrets.
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Local } from 'run-template-locally';
import { type ApplyOutcome, settingsFiles } from './apply-settings.ts';
import { INPUTS, SynthesisError, type SynthesisRequest, synthesize } from './synthesize.ts';

/** The files to watch, and how to apply a change. */
interface WatchSettings {
  readonly synthesis: SynthesisRequest & { readonly signal: AbortSignal };
  /** Files and folders with settings. */
  readonly settings: readonly string[];
  readonly apply: () => Promise<ApplyOutcome>;
  readonly stack: Local;
}

/** Polling interval. Node's recursive watcher misses a file that is saved by renaming (24.21, Linux). */
const INTERVAL_MS = 400;

/** Watches until the process ends. A change that fails is reported, and the previous version keeps running. */
export function watch({ synthesis, settings, apply, stack }: WatchSettings): void {
  const sources = () =>
    INPUTS.flatMap((pattern) => globSync(pattern, { cwd: synthesis.root })).map((file) =>
      join(synthesis.root, file),
    );
  void onEachChange(sources, synthesis.signal, async () => {
    if ((await synthesize(synthesis)) === 'unchanged') return;
    await stack.reload();
    process.stdout.write('restarted with the new template\n');
  });
  void onEachChange(
    () => settings.flatMap(settingsFiles),
    synthesis.signal,
    async () => {
      if ((await apply()) === 'applied') process.stdout.write(`applied ${settings.join(', ')}\n`);
    },
  );
}

/** Calls `onChange` after each change of the files, one at a time. A change is complete when two polls in a row see the same. */
async function onEachChange(
  files: () => string[],
  signal: AbortSignal,
  onChange: () => Promise<void>,
): Promise<void> {
  let handled = snapshot(files());
  let before = handled;
  while (!signal.aborted) {
    await sleep(INTERVAL_MS);
    const now = snapshot(files());
    if (now !== handled && now === before) {
      handled = now;
      await onChange().catch((error: unknown) => {
        if (!signal.aborted) process.stderr.write(`${describe(error)}\n`);
      });
    }
    before = now;
  }
}

/** Names, sizes and times of files. A file that disappears in between counts as deleted. */
function snapshot(files: readonly string[]): string {
  return files
    .map((file) => {
      const status = statSync(file, { throwIfNoEntry: false });
      return `${file} ${status?.mtimeMs} ${status?.size} ${status?.ino}`;
    })
    .join('\n');
}

function describe(error: unknown): string {
  if (error instanceof SynthesisError) {
    return `${error.output}\nThe app could not be synthesized. The previous version keeps running.`;
  }
  return error instanceof Error ? error.message : String(error);
}
