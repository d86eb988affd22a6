// Loads the files of the page. They are part of the package; in a clone they are built when they are missing or outdated.
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { CommandFailure } from '../output/failure.ts';

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

export interface PageFiles {
  /** For a path without an extension the page itself, which draws what the address says. */
  find(path: string): PageFile | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Relative to this file in a clone, and in the built package. */
const CLONE = join(import.meta.dirname, '..', '..');
const PACKAGED = join(import.meta.dirname, '..', '..', 'console');

/** Throws `CommandFailure` where the page cannot be built. */
export async function loadPageFiles(message: (text: string) => void): Promise<PageFiles> {
  const isClone = existsSync(join(CLONE, 'console', 'main.tsx'));
  if (isClone) await buildIfOlder(message);
  const folder = isClone ? join(CLONE, 'console', 'dist') : PACKAGED;
  const files = new Map<string, PageFile>();
  for (const name of globSync('**/*.*', { cwd: folder })) {
    const type = TYPES[extname(name)];
    if (type !== undefined)
      files.set(`/${name.replaceAll('\\', '/')}`, { type, body: readFileSync(join(folder, name)) });
  }
  return {
    find: (path) => files.get(path) ?? (extname(path) === '' ? files.get('/index.html') : undefined),
  };
}

/** The build runs in a process of its own, since only a clone has its tools. */
async function buildIfOlder(message: (text: string) => void): Promise<void> {
  const built = modifiedMs(join(CLONE, 'console', 'dist', 'index.html'));
  const sources = globSync('console/**/*.{ts,tsx,css,html,svg,json}', {
    cwd: CLONE,
    exclude: ['console/dist/**'],
  });
  const newest = Math.max(...sources.map((name) => modifiedMs(join(CLONE, name))));
  if (built > newest) return;
  message('Building the page…');
  try {
    await promisify(execFile)(process.execPath, [join(CLONE, 'bin', 'build-console.ts')], { cwd: CLONE });
  } catch (error) {
    throw new CommandFailure({
      what: 'The page of the console could not be built.',
      why: (error as { readonly stderr?: string }).stderr?.trim() || (error as Error).message,
      remedy: 'Run `npm ci`, then try again.',
    });
  }
}

function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
