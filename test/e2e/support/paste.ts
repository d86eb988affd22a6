// Pastes a block of commands into a terminal, all lines at once, as a reader of the docs does.
import { spawn } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ROOT } from './command.ts';

/** The end of a paste: as the terminal shows it when it was run, and not when it was typed. */
const TYPED_END = "printf '%s-%s\\n' paste ended";
const END = 'paste-ended';
const MAX_MS = 100_000;

/**
 * Everything that the terminal showed. A command that reads the terminal swallows what was pasted after it: then the end may never
 * come, and the error shows the terminal as it stood.
 */
export async function paste(block: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', PS1: '$ ', ...environment };
  // script(1) gives the shell a pseudo-terminal.
  const child = spawn('script', ['-qfec', 'bash --norc --noprofile -i', '/dev/null'], {
    cwd: likeTheRoot(),
    env,
  });
  let shown = '';
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (shown.includes(END)) resolve();
    });
  });
  const late = setTimeout(() => child.kill('SIGKILL'), MAX_MS);
  child.stdin.write(`${block.trim()}\n${TYPED_END}\n`);
  await ended;
  clearTimeout(late);
  child.stdin.end('exit\n');
  const text = shown.replaceAll('\r\n', '\n');
  if (!text.includes(END)) throw new Error(`the terminal waits for something:\n${text}`);
  return text;
}

/** A folder in which everything of the repository is found, and which takes the files that commands write. */
function likeTheRoot(): string {
  const folder = temporaryFolder();
  for (const name of readdirSync(ROOT)) symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}
