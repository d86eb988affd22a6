// The CPU that a process and all its descendants took, from the kernel's counters (proc(5), /proc/pid/stat).
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Names the part of a process by its command line and its environment. */
export type NameProcess = (commandLine: string, environment: string) => string;

/** User and system time of each process so far, in milliseconds, by pid. */
type Snapshot = ReadonlyMap<number, { readonly name: string; readonly ms: number }>;

export const MS_OF_A_TICK = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Reads a process and its descendants, without any that has just ended. */
export function readProcesses(root: number, nameOf: NameProcess): Snapshot {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = new Map(all.flatMap((pid) => readStat(Number(pid))));
  const snapshot = new Map<number, { name: string; ms: number }>();
  for (const [pid, { ms }] of stats) {
    if (!descends(pid, root, stats)) continue;
    const [commandLine, environment] = [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)];
    snapshot.set(pid, { name: nameOf(commandLine.replaceAll('\0', ' '), environment), ms });
  }
  return snapshot;
}

/** The CPU of each part between two snapshots, without processes that ended in between. */
export function cpuBetween(before: Snapshot, after: Snapshot): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const [pid, { name, ms }] of after) {
    parts[name] = (parts[name] ?? 0) + ms - (before.get(pid)?.ms ?? 0);
  }
  return parts;
}

type Stats = ReadonlyMap<number, { readonly parent: number; readonly ms: number }>;

function readStat(pid: number): [number, { parent: number; ms: number }][] {
  const text = read(`/proc/${pid}/stat`);
  // The name of the program, in brackets, may hold spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (text === '') return [];
  const [parent, utime, stime] = [fields[1], fields[11], fields[12]].map(Number);
  return [[pid, { parent: parent ?? 0, ms: ((utime ?? 0) + (stime ?? 0)) * MS_OF_A_TICK }]];
}

function descends(pid: number, root: number, stats: Stats): boolean {
  let at = pid;
  while (at !== root && at > 1) at = stats.get(at)?.parent ?? 0;
  return at === root;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
