// Tells a program that npm started when npm is gone: npm 11 ends with a signal without handing it on.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const CHECK_EVERY_MS = 250;
/** npm, the shell in which it runs a script, and this program. */
const MAX_CHAIN_LENGTH = 2;

/**
 * Calls `onEnd` once when the npm that runs this program has ended, or the shell between them. Does nothing for a program
 * that npm did not start: that one may well outlive the shell it was typed into.
 */
export function watchNpm(onEnd: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const ancestors = ancestorsUpToNpm(parent);
  const timer = setInterval(() => {
    // A child whose parent ends gets another parent; further up, a process that is gone has to be asked for.
    if (process.ppid === parent && ancestors.every(isAlive)) return;
    clearInterval(timer);
    onEnd();
  }, CHECK_EVERY_MS);
  timer.unref();
}

/** Process ids from this program's parent up to npm; the parent alone where none of them is npm. */
function ancestorsUpToNpm(parent: number): readonly number[] {
  const chain: number[] = [];
  for (let pid: number | undefined = parent; pid !== undefined && chain.length < MAX_CHAIN_LENGTH; ) {
    chain.push(pid);
    const found = describeProcess(pid);
    // npm gives itself the title `npm run start`; one that was started by its file is `node …/npm-cli.js`.
    if (found !== undefined && /^npm\b|npm-cli/.test(found.title)) return chain;
    pid = found?.parent;
  }
  return [parent];
}

/** Undefined for a process that has ended, and where the system has no `ps`. */
function describeProcess(pid: number): { readonly parent: number; readonly title: string } | undefined {
  try {
    if (process.platform !== 'linux') {
      const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
      return { parent: Number.parseInt(line, 10), title: line.replace(/^\d+\s+/, '') };
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name in brackets, may hold anything (proc_pid_stat(5)).
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
