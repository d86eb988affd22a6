// Identifies processes: the system may have given an id to another program since.

import { readFileSync } from 'node:fs';

/** A process by id and start time. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since boot (proc_pid_stat(5), field 22); undefined without /proc. */
  readonly started: string | undefined;
}

export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, started: readStat(pid)?.started };
}

/** Whether this process still runs; a zombie does not. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const stat = readStat(pid);
  if (stat === undefined) return true;
  return stat.state !== 'Z' && (started === undefined || stat.started === started);
}

function readStat(pid: number): { state: string | undefined; started: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name in brackets, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], started: fields[19] };
  } catch {
    return undefined;
  }
}
