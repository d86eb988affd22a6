// Exports of a large log, each once in one go and once killed again and again, by the command itself.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { digestFile, type ExportManifest } from '../../../cli/logs/export/manifest.ts';
import type { runProcess } from './run-process.ts';

const FORMATS = ['jsonl', 'csv', 'parquet'] as const;
/** An export lives at least this long before it is killed: the time to begin, and some entries. */
const KILL_AFTER_MS = Number(process.env['EXPORT_KILL_MS'] ?? 6_000);

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What was measured of one format. */
export type ExportResult = Awaited<ReturnType<typeof proveFormat>>;

/** Runs `neuron` with these words; standard output is kept. */
type RunCommand = (words: readonly string[], killAfterMs?: number) => ReturnType<typeof runProcess>;

/** Every format, with a verification of the export by its manifest. */
export async function proveExports(
  folder: string,
  endMs: number,
  run: RunCommand,
): Promise<readonly ExportResult[]> {
  const results: ExportResult[] = [];
  for (const format of FORMATS) {
    const result = await proveFormat(folder, format, endMs, run);
    process.stdout.write(`${JSON.stringify(result)}\n`);
    results.push(result);
  }
  return results;
}

async function proveFormat(folder: string, format: string, endMs: number, run: RunCommand) {
  // To the end of the log and no further: each export leaves an entry of its own, which the next one would have more.
  const day = ['--from', timeOf(endMs - 24 * HOUR_MS), '--to', timeOf(endMs + MINUTE_MS)];
  const words = (out: string, period: readonly string[] = day) => [
    ...['logs', 'export', 'acme', ...period, '--format', format, '--out', out, '--quiet'],
  ];
  const lastHour = await run(
    words(join(folder, `hour.${format}`), ['--from', timeOf(endMs - HOUR_MS), '--to', timeOf(endMs)]),
  );
  const whole = join(folder, `whole.${format}`);
  const parts = join(folder, `parts.${format}`);
  const once = await run(words(whole));
  if (once.exitCode !== 0) throw new Error(`the export ended with ${once.exitCode}`);
  const { kills, peakMiB } = await runKilled(words(parts), run);
  const manifest = JSON.parse(readFileSync(`${whole}.manifest.json`, 'utf8')) as ExportManifest;
  const resumed = await digestFile(parts);
  const verified = await run(['logs', 'verify', `${parts}.manifest.json`]);
  return {
    ...{ format, entries: manifest.entries.call, bytes: statSync(whole).size, seconds: once.seconds },
    ...{ peakMiB: once.peakMiB, kills, peakMiBWhenKilled: peakMiB },
    peakMiBOfOneHour: lastHour.peakMiB,
    isEqual: resumed.sha256 === manifest.sha256 && resumed.sha256 === (await digestFile(whole)).sha256,
    verified: {
      isIntact: verified.exitCode === 0,
      seconds: verified.seconds,
      peakMiB: verified.peakMiB,
    },
  };
}

/** Minutes, as the command takes them. */
function timeOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 16);
}

/** The same export until it is complete. Every kill but the last run's comes at another moment. */
async function runKilled(words: readonly string[], run: RunCommand) {
  let kills = 0;
  let peakMiB = 0;
  for (let afterMs = KILL_AFTER_MS; ; afterMs = Math.round(afterMs * 1.37)) {
    const result = await run(words, afterMs);
    peakMiB = Math.max(peakMiB, result.peakMiB);
    if (result.exitCode === 0) return { kills, peakMiB };
    if (result.exitCode !== null) throw new Error(`the export ended with ${result.exitCode}`);
    kills += 1;
  }
}
