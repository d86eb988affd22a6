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

/** All files that the templates and bundles depend on. */
export const INPUTS = [
  'bin/{app,print-stage-errors}.ts',
  'bin/start/app.ts',
  'cdk.json',
  'package.json',
  'package-lock.json',
  '{lib,lambdas,core,adapters}/**/*.{ts,json}',
];
const FINGERPRINT_FILE = 'neuron-inputs.sha256';
/** Names of bundles that are kept from the previous assembly. */
const KEPT_FILE = 'neuron-kept-bundles.json';

/** In the assembly, beside the bundles that it is of: what Node compiled of them. Replaced with them. */
export const COMPILE_CACHE = 'compile-cache';

/** `root` is the repository, `folder` is for the assembly. */
export interface SynthesisRequest {
  readonly root: string;
  readonly folder: string;
  readonly stage: string;
  readonly transferMode: 'STREAM' | 'BUFFERED' | undefined;
  readonly compute?: 'shared' | undefined;
  readonly signal?: AbortSignal;
}

/** Thrown when the app could not be synthesized; `output` is the app's output. */
export class SynthesisError extends Error {
  readonly output: string;

  constructor(output: string) {
    super('the app could not be synthesized');
    this.name = 'SynthesisError';
    this.output = output;
  }
}

/** Runs the app without the CDK command, which takes seconds longer and may leave unbundled assets behind. */
export async function synthesize(request: SynthesisRequest): Promise<'unchanged' | 'synthesized'> {
  const fingerprintFile = join(request.folder, FINGERPRINT_FILE);
  const fingerprint = fingerprintOf(request);
  if (existsSync(fingerprintFile) && readFileSync(fingerprintFile, 'utf8') === fingerprint)
    return 'unchanged';
  // Into another folder, because another start may use this one; at the same depth, because asset hashes depend on it.
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
 * Replaces the previous assembly with a new one. The bundles of the previous one stay until the next replacement: its functions may
 * still run, and load parts of their bundle when they need them.
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

function fingerprintOf({ root, stage, transferMode, compute }: SynthesisRequest): string {
  const hash = createHash('sha256').update(
    JSON.stringify([stage, transferMode ?? null, compute ?? null, process.version]),
  );
  for (const file of INPUTS.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted()) {
    const content = readFileSync(join(root, file));
    hash.update(`\0${relative(root, join(root, file))}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex');
}

async function runApp(request: SynthesisRequest): Promise<void> {
  const { root, folder, stage, transferMode, compute, signal } = request;
  const args = [join(root, 'bin/start/app.ts'), stage, folder, ...[transferMode ?? [], compute ?? []].flat()];
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
  if (code !== 0) throw new SynthesisError(Buffer.concat(output).toString());
}
