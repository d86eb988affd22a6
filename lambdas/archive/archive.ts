// Archives one day of the log, and says so in a line.
import { type ArchivePorts, archiveDay } from '../../core/logs/archive/write-day.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import { toIso } from '../../core/time/iso.ts';

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The day that an event names, for a run by hand, else the day before now. Throws for a day that has not ended, or is none. */
export function chooseDay(event: unknown, nowMs: number): string {
  const named: unknown = (event as { readonly day?: unknown } | null | undefined)?.day;
  const today = toIso(nowMs).slice(0, 10);
  if (named === undefined) return toIso(nowMs - DAY_MS).slice(0, 10);
  const isDay = typeof named === 'string' && DAY.test(named) && !Number.isNaN(Date.parse(named));
  if (isDay && toIso(Date.parse(named)).slice(0, 10) === named && named < today) return named;
  throw new Error('day must be a day that has ended, such as 2026-11-27');
}

/** Throws when the day could not be archived whole. */
export async function archive(
  day: string,
  ports: ArchivePorts & { readonly lines: LineSink },
): Promise<void> {
  const { chains } = await archiveDay(day, ports);
  const sum = (name: 'seals' | 'entries' | 'gone') =>
    Object.values(chains).reduce((total, chain) => total + chain[name], 0);
  ports.lines.write(
    JSON.stringify({
      neuronArchived: day,
      chains: Object.keys(chains).length,
      seals: sum('seals'),
      entries: sum('entries'),
      gone: sum('gone'),
    }),
  );
}
