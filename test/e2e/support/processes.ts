// Processes below another one, told apart from later ones that got the same id (proc_pid_stat(5)).
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process at one moment; `started` in clock ticks since boot. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly started: string;
  readonly state: string;
  /** The command line, words separated by spaces. */
  readonly command: string;
}

/** Every process below `pid`, children of children included. */
export function descendantsOf(pid: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const found: Process[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

/** Those of the processes that still run; one that has ended and waits for its parent does not. */
export function stillRunning(processes: readonly Process[]): Process[] {
  return processes.filter(({ pid, started }) => {
    const now = readProcess(pid);
    return now !== undefined && now.started === started && now.state !== 'Z';
  });
}

/** Between two kills: some batches of the log's stream come to their end, and others do not. */
const KILL_EVERY_MS = 150;

/** Kills the rollup function below `pid` again and again. `stop` says how often. */
export function killRollups(pid: number): { stop(): Promise<number> } {
  let [kills, goesOn] = [0, true];
  const killing = (async () => {
    while (goesOn) {
      const [rollup] = descendantsOf(pid).filter((process) => isRollup(process.pid));
      if (rollup !== undefined) {
        process.kill(rollup.pid, 'SIGKILL');
        kills += 1;
      }
      await sleep(KILL_EVERY_MS);
    }
  })();
  return {
    async stop() {
      goesOn = false;
      await killing;
      return kills;
    },
  };
}

function isRollup(pid: number): boolean {
  try {
    return /AWS_LAMBDA_FUNCTION_NAME=[^\0]*Rollup/.test(readFileSync(`/proc/${pid}/environ`, 'utf8'));
  } catch {
    return false;
  }
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, state: fields[0] ?? '', parent: Number(fields[1]), started: fields[19] ?? '', command };
  } catch {
    return undefined;
  }
}
