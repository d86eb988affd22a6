// Installs the released clients where they are missing: each in the version that this folder pins, and none in the project's own lock.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = import.meta.dirname;
const PYTHON = join(FOLDER, '.venv/bin/python');
/** Where a package index does not answer at once, there are no clients for Python. */
const PIP = ['--quiet', '--disable-pip-version-check', '--retries=1', '--timeout=10'];

/** Those for Node. */
export async function installNodeClients(): Promise<void> {
  if (existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) return;
  await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: FOLDER });
}

/** The Python that has OpenAI's client; undefined where there is none, or no package index. */
export async function installPythonClient(): Promise<string | undefined> {
  const isThere = () =>
    run(PYTHON, ['-c', 'import openai, pydantic']).then(
      () => true,
      () => false,
    );
  if (await isThere()) return PYTHON;
  try {
    await run('python3', ['-m', 'venv', join(FOLDER, '.venv')]);
    await run(PYTHON, ['-m', 'pip', 'install', ...PIP, '-r', join(FOLDER, 'requirements.txt')]);
  } catch {
    return undefined;
  }
  return (await isThere()) ? PYTHON : undefined;
}

if (import.meta.main) {
  await installNodeClients();
  const python = await installPythonClient();
  process.stdout.write(
    python === undefined ? 'no client for Python: no package index answers\n' : `${python}\n`,
  );
}
