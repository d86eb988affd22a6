// Tells a program when what started it has ended: npm 11 does not pass on the signal that ends it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const CHECK_EVERY_MS = 250;
/** The shell in which npm runs a script, a Node that was too old and started this one, and npm. */
const MAX_CHAIN_LENGTH = 3;

/** As `watchParent` for a program that npm started. Does nothing for any other: it may outlive its shell. */
export function watchNpm(onEnd: () => void): void {
  if (process.env['npm_lifecycle_event'] !== undefined) watchParent(onEnd);
}

/** Calls `onEnd` once when the process that started this program has ended, or npm above it, or a process between them. */
export function watchParent(onEnd: () => void): void {
  const parent = process.ppid;
  const ancestors = findAncestors(parent);
  const timer = setInterval(() => {
    // A child whose parent ends gets another parent; ancestors further up are checked by their ids.
    if (process.ppid === parent && ancestors.every(isAlive)) return;
    clearInterval(timer);
    onEnd();
  }, CHECK_EVERY_MS);
  timer.unref();
}

/** Process ids from this program's parent up to npm; only the parent where none of them is npm. */
function findAncestors(parent: number): readonly number[] {
  const chain: number[] = [];
  for (let pid: number | undefined = parent; pid !== undefined && chain.length < MAX_CHAIN_LENGTH; ) {
    chain.push(pid);
    const found = describeProcess(pid);
    // npm's title is `npm run start`, or `node …/npm-cli.js` when it was started by its file.
    if (found !== undefined && /^npm\b|npm-cli/.test(found.title)) return chain;
    pid = found?.parent;
  }
  return [parent];
}

/** Undefined for a process that has ended, and on a system without `ps`. */
function describeProcess(pid: number): { readonly parent: number; readonly title: string } | undefined {
  try {
    if (process.platform !== 'linux') {
      const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
      return { parent: Number.parseInt(line, 10), title: line.replace(/^\d+\s+/, '') };
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name in brackets, may hold any character (proc_pid_stat(5)).
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { parent, title: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
