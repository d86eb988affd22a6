// Tells processes apart: an id alone may by now belong to another program.

import { readFileSync } from 'node:fs';

/** A process, by id and the moment it started. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In the kernel's clock ticks since boot (proc_pid_stat(5), field 22); undefined where there is no /proc. */
  readonly started: string | undefined;
}

/** Identifies a running process. */
export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, started: readStat(pid)?.started };
}

/** Whether this very process is still there; one that has ended and waits for its parent is not. */
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
    // The second field is the program's name, in brackets, and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], started: fields[19] };
  } catch {
    return undefined;
  }
}
