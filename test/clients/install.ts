// Installs the released clients where they are missing: each in the version that this folder pins, and none in the project's own lock.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = import.meta.dirname;
const PYTHON = join(FOLDER, '.venv/bin/python');
/** Where a package index does not answer at once, there are no clients for Python. */
const PIP = ['--quiet', '--disable-pip-version-check', '--retries=1', '--timeout=10'];

/** Those for Node. */
export async function installNodeClients(): Promise<void> {
  const lock = join(FOLDER, 'package-lock.json');
  const done = join(FOLDER, 'node_modules/.installed-from');
  if (isSame(lock, done)) return;
  await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: FOLDER });
  copyFileSync(lock, done);
}

/** The clients of the Model Context Protocol for Node, and its suite. */
export async function installMcpClients(): Promise<void> {
  const folder = join(FOLDER, 'mcp');
  const [lock, done] = [join(folder, 'package-lock.json'), join(folder, 'node_modules/.installed-from')];
  if (isSame(lock, done)) return;
  await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  copyFileSync(lock, done);
}

/** Microsoft's client of AI Content Safety; returns its folder. */
export async function installAzureClient(): Promise<string> {
  const folder = join(FOLDER, 'azure');
  const [lock, done] = [join(folder, 'package-lock.json'), join(folder, 'node_modules/.installed-from')];
  if (isSame(lock, done)) return folder;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
  });
  copyFileSync(lock, done);
  return folder;
}

/**
 * The released promptfoo; returns its folder. Of its optional parts only the binding of its database, without which its command does not
 * begin. No script of a package runs.
 */
export async function installPromptfoo(): Promise<string> {
  const folder = join(FOLDER, 'promptfoo');
  const [lock, done] = [join(folder, 'package-lock.json'), join(folder, 'node_modules/.installed-from')];
  if (isSame(lock, done)) return folder;
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['ci', '--omit=optional', '--ignore-scripts', ...quiet], { cwd: folder });
  await installLocked(folder, `@libsql/${process.platform}-${process.arch}${LIBC}`);
  copyFileSync(lock, done);
  return folder;
}

const LIBC = process.platform === 'linux' ? '-gnu' : '';

/** A package of a lock by itself: npm leaves out either all that is optional or nothing. Throws where it is not what the lock has. */
async function installLocked(folder: string, name: string): Promise<void> {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
  };
  const place = `node_modules/${name}`;
  const { version, integrity } = packages[place] ?? { version: 'none', integrity: '' };
  const into = join(folder, place);
  mkdirSync(into, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', into, `${name}@${version}`]);
  const archive = join(into, stdout.trim());
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (integrity !== `sha512-${digest}`) throw new Error(`${name} ${version} is not what the lock names.`);
  await run('tar', ['-xzf', archive, '-C', into, '--strip-components=1']);
  rmSync(archive);
}

/** Readers of JUnit reports; returns their folder. */
export async function installJunitReaders(): Promise<string> {
  const folder = join(FOLDER, 'junit');
  const [lock, done] = [join(folder, 'package-lock.json'), join(folder, 'node_modules/.installed-from')];
  if (isSame(lock, done)) return folder;
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['ci', '--ignore-scripts', ...quiet], { cwd: folder });
  copyFileSync(lock, done);
  return folder;
}

/** The Python that has its client. */
export async function installMcpClientsOfPython(): Promise<string> {
  const folder = join(FOLDER, 'mcp');
  const [requirements, done] = [join(folder, 'requirements.txt'), join(folder, '.venv/installed-from')];
  const python = join(folder, '.venv/bin/python');
  if (isSame(requirements, done)) return python;
  await run('python3', ['-m', 'venv', join(folder, '.venv')]);
  await run(python, ['-m', 'pip', 'install', ...PIP, '--no-deps', '-r', requirements]);
  copyFileSync(requirements, done);
  return python;
}

/** The clients of Responses and Messages, and coding agents; returns where their programs stand. */
export async function installAgents(): Promise<string> {
  const folder = join(FOLDER, 'agents');
  const lock = join(folder, 'package-lock.json');
  const done = join(folder, 'node_modules/.installed-from');
  if (!isSame(lock, done)) {
    // Not every registry has the binaries of every machine, which are optional: `npm ci` fails where the lock lacks one.
    const pinned = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', pinned, { cwd: folder });
    copyFileSync(lock, done);
  }
  return join(folder, 'node_modules/.bin');
}

/** Aider and the compliance tests of others, in a Python of their own; returns where their programs stand. */
export async function installAgentsOfPython(): Promise<string> {
  const folder = join(FOLDER, 'agents');
  const requirements = join(folder, 'requirements.txt');
  const done = join(folder, '.venv/installed-from');
  if (!isSame(requirements, done)) {
    await run('python3', ['-m', 'venv', join(folder, '.venv')]);
    const pip = ['-m', 'pip', 'install', ...PIP, '--no-deps', '-r', requirements];
    await run(join(folder, '.venv/bin/python'), pip);
    copyFileSync(requirements, done);
  }
  return join(folder, '.venv/bin');
}

/** The Python that has OpenAI's client; undefined where there is none, or no package index. */
export async function installPythonClient(): Promise<string | undefined> {
  const requirements = join(FOLDER, 'requirements.txt');
  const done = join(FOLDER, '.venv/installed-from');
  if (isSame(requirements, done)) return PYTHON;
  try {
    await run('python3', ['-m', 'venv', join(FOLDER, '.venv')]);
    await run(PYTHON, ['-m', 'pip', 'install', ...PIP, '-r', requirements]);
    await run(PYTHON, ['-c', 'import openai, pydantic']);
  } catch {
    return undefined;
  }
  copyFileSync(requirements, done);
  return PYTHON;
}

/** The Python that has the frameworks, some hundred packages. */
export async function installFrameworks(): Promise<string> {
  const folder = join(FOLDER, 'frameworks');
  const requirements = join(folder, 'requirements.txt');
  const python = join(folder, '.venv/bin/python');
  const done = join(folder, '.venv/installed-from');
  if (isSame(requirements, done)) return python;
  await run('python3', ['-m', 'venv', join(folder, '.venv')]);
  // Every version is pinned: pip has nothing to find out.
  await run(python, ['-m', 'pip', 'install', ...PIP, '--no-deps', '-r', requirements]);
  copyFileSync(requirements, done);
  return python;
}

/** True where what is installed is what is pinned: to load it would take as long as to use it. */
function isSame(pinned: string, installed: string): boolean {
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(pinned));
}

const COLLECTOR_FOLDER = join(FOLDER, '.collector');
const COLLECTOR = join(COLLECTOR_FOLDER, 'rotel/rotel-agent');

/** A collector of OpenTelemetry's spans, Rotel; undefined where there is none for this machine, or no package index. */
export async function installCollector(): Promise<string | undefined> {
  const isThere = () =>
    run(COLLECTOR, ['--version']).then(
      () => true,
      () => false,
    );
  if (await isThere()) return COLLECTOR;
  const target = ['--target', COLLECTOR_FOLDER, '--upgrade', '--no-deps', '--only-binary', ':all:'];
  try {
    await run('python3', ['-m', 'pip', 'install', ...PIP, ...target, 'rotel==0.0.1a15']);
  } catch {
    return undefined;
  }
  return (await isThere()) ? COLLECTOR : undefined;
}

if (import.meta.main) {
  await installNodeClients();
  const python = await installPythonClient();
  const collector = await installCollector();
  process.stdout.write(collector === undefined ? 'no collector: none for this machine\n' : `${collector}\n`);
  process.stdout.write(
    python === undefined ? 'no client for Python: no package index answers\n' : `${python}\n`,
  );
}
