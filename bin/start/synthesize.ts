// Synthesizes the app for the local run, unless nothing it is made of has changed since the last time.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Everything that shapes the templates and the bundles. */
export const INPUTS = [
  'bin/app.ts',
  'cdk.json',
  'package.json',
  'package-lock.json',
  '{lib,lambdas,core,adapters}/**/*.{ts,json}',
];
const FINGERPRINT_FILE = 'neuron-inputs.sha256';
/** Names of bundles that belong to the assembly before. */
const KEPT_FILE = 'neuron-kept-bundles.json';

/** What to synthesize; `root` is the repository, `folder` where the assembly goes. */
export interface SynthesisRequest {
  readonly root: string;
  readonly folder: string;
  readonly stage: string;
  readonly transferMode: 'STREAM' | 'BUFFERED' | undefined;
  /** Ends the process that synthesizes. */
  readonly signal?: AbortSignal;
}

/** Thrown when the app could not be synthesized; `output` is what it printed. */
export class SynthesisFailed extends Error {
  readonly output: string;

  constructor(output: string) {
    super('the app could not be synthesized');
    this.name = 'SynthesisFailed';
    this.output = output;
  }
}

/** Runs the app itself: the CDK command takes seconds longer and may leave unbundled assets behind. */
export async function synthesize(request: SynthesisRequest): Promise<'unchanged' | 'synthesized'> {
  const fingerprintFile = join(request.folder, FINGERPRINT_FILE);
  const fingerprint = fingerprintOf(request);
  if (existsSync(fingerprintFile) && readFileSync(fingerprintFile, 'utf8') === fingerprint)
    return 'unchanged';
  // In a folder of its own, because another start may use the same one; at the same depth, because asset hashes depend on it.
  const fresh = `${request.folder}.${process.pid}`;
  mkdirSync(dirname(fresh), { recursive: true, mode: 0o700 });
  try {
    await runApp({ ...request, folder: fresh });
    writeFileSync(join(fresh, FINGERPRINT_FILE), fingerprint);
    replaceFolder(request.folder, fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return 'synthesized';
}

/**
 * Puts a fresh assembly in the place of the one before. The bundles of that one stay until the next replacement: its functions may
 * still run, and load a part of their bundle when they first need it.
 */
export function replaceFolder(folder: string, fresh: string): void {
  const old = `${fresh}.old`;
  keepBundles(folder, fresh);
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}

function keepBundles(before: string, fresh: string): void {
  const file = join(before, KEPT_FILE);
  const kept: readonly string[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const bundles = globSync('asset.*', { cwd: before }).filter(
    (name) => !kept.includes(name) && !existsSync(join(fresh, name)),
  );
  for (const name of bundles) cpSync(join(before, name), join(fresh, name), { recursive: true });
  writeFileSync(join(fresh, KEPT_FILE), JSON.stringify(bundles));
}

function fingerprintOf({ root, stage, transferMode }: SynthesisRequest): string {
  const hash = createHash('sha256').update(JSON.stringify([stage, transferMode ?? null, process.version]));
  for (const file of INPUTS.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted()) {
    const content = readFileSync(join(root, file));
    hash.update(`\0${relative(root, join(root, file))}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex');
}

async function runApp({ root, folder, stage, transferMode, signal }: SynthesisRequest): Promise<void> {
  const args = [
    join(root, 'bin/start/app.ts'),
    stage,
    folder,
    ...(transferMode === undefined ? [] : [transferMode]),
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    ...(signal === undefined ? {} : { signal }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new SynthesisFailed(Buffer.concat(output).toString());
}
