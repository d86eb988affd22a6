// Opens the operator's browser at an address with a one-time token.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Terminal } from '../output/terminal.ts';

/** Longer than any browser needs to read a file. */
const FILE_MS = 30_000;

const COMMANDS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/**
 * Tries; the address is printed anyway. Other users of the machine can read the arguments of every process, so the browser
 * is given a file that only this user can read and that leads to the address.
 */
export function openBrowser(address: string, { environment, stdout }: Terminal): void {
  const [program, ...words] = COMMANDS[process.platform] ?? [];
  const hasScreen =
    process.platform !== 'linux' || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
  if (program === undefined || !hasScreen || !stdout.isTerminal) return;
  const folder = mkdtempSync(join(tmpdir(), 'neuron-console-'));
  const file = join(folder, 'open.html');
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${address}">`, {
    mode: 0o600,
  });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  setTimeout(remove, FILE_MS).unref();
  process.once('exit', remove);
  const child = spawn(program, [...words, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
