// Memory of a process and all its descendants, from the kernel's counters (proc(5), /proc/pid/smaps_rollup).
import { readFileSync } from 'node:fs';
import { type NameProcess, readProcesses } from '../gateways/processes.ts';

/** Mebibytes of the processes of one part: resident sizes, and `largestOwn` without memory shared with other processes. */
export interface PartMemory {
  readonly processes: number;
  readonly largest: number;
  readonly median: number;
  readonly largestOwn: number;
}

/** By part. */
export function readMemory(root: number, nameOf: NameProcess): Record<string, PartMemory> {
  const parts: Record<string, { readonly resident: number; readonly own: number }[]> = {};
  for (const [pid, { name }] of readProcesses(root, nameOf)) {
    const rollup = readRollup(pid);
    if (rollup !== undefined) parts[name] = [...(parts[name] ?? []), rollup];
  }
  return Object.fromEntries(
    Object.entries(parts).map(([name, processes]) => {
      const resident = processes.map((one) => one.resident).toSorted((a, b) => a - b);
      return [
        name,
        {
          processes: processes.length,
          largest: resident.at(-1) ?? 0,
          median: resident[Math.floor(resident.length / 2)] ?? 0,
          largestOwn: Math.max(...processes.map(({ own }) => own)),
        },
      ];
    }),
  );
}

function readRollup(pid: number): { readonly resident: number; readonly own: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const mib = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
    return { resident: mib('Rss'), own: mib('Private_Clean') + mib('Private_Dirty') };
  } catch {
    return undefined;
  }
}
