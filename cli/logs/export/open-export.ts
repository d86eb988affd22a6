// Opens an export by its manifest, so that it can be verified like the log, even years later and without the tables.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ERASE_ACTION } from '../../../core/contract/change-entry.ts';
import { SERVICE_CHAIN, type Seal, type StoredSeal } from '../../../core/ports/seals.ts';
import {
  comparePositions,
  type StoredEntry,
  type StoredPosition,
} from '../../../core/ports/stored-entries.ts';
import { isJsonObject, type JsonObject, parseJson, toJsonObject } from '../../../core/text/json.ts';
import { CommandFailure } from '../../output/failure.ts';
import { createLineChecks, type LineChecks, toStoredEntry } from './check-lines.ts';
import { digestFile, type ExportManifest } from './manifest.ts';
import { findFalseMembers, type ManifestProblem } from './parse-manifest.ts';
import { readEntries } from './read-entries.ts';
import { linesOfFile } from './read-spool.ts';

export interface OpenExport {
  readonly manifest: ExportManifest;
  /** Each of the two files that is not the one that the manifest describes. */
  findOtherFiles(): Promise<readonly OtherFile[]>;
  /** Every exported entry, by position; `checks` see every line. */
  entries(checks?: LineChecks): AsyncIterable<StoredEntry>;
  createChecks(): LineChecks;
  /** The entry at a position. Reads the file from its start. */
  find(position: StoredPosition): Promise<StoredEntry['record'] | undefined>;
  /** Changes that erased persons: those of the period, and later ones, which are beside the seals. Reads both files. */
  erasures(): Promise<readonly StoredEntry[]>;
  /** The exported links of a chain, in order; '' for lines that are of none. */
  seals(chain: string): AsyncIterable<StoredSeal>;
}

/** A file that is not the one that the manifest describes. */
export interface OtherFile {
  readonly file: string;
  readonly problem: string;
}

/** `path`: that of the manifest. */
export function openExport(path: string, manifest: ExportManifest): OpenExport {
  const folder = dirname(path);
  const data = join(folder, manifest.file);
  const seals = join(folder, manifest.seals.file);
  async function* entries(checks?: LineChecks): AsyncGenerator<StoredEntry> {
    for await (const line of readEntries(data, manifest.format))
      yield checks === undefined ? toStoredEntry(line) : checks.check(line);
  }
  return {
    manifest,
    entries,
    createChecks: () => createLineChecks(manifest),
    async findOtherFiles() {
      const found = await Promise.all([compareFile(data, manifest), compareFile(seals, manifest.seals)]);
      return found.flat();
    },
    async find(position) {
      for await (const entry of entries()) if (comparePositions(entry, position) === 0) return entry.record;
      return undefined;
    },
    async erasures() {
      const found: StoredEntry[] = [];
      for await (const entry of entries()) if (isErasure(entry)) found.push(entry);
      for await (const line of linesOfFile(seals)) {
        const entry = readErasure(line, manifest.organizationId);
        if (entry !== undefined) found.push(entry);
      }
      return found;
    },
    async *seals(chain) {
      for await (const { chain: own, ...link } of readSeals(seals, manifest.organizationId))
        if (own === chain) yield link;
    },
  };
}

/** Throws `CommandFailure` where the file cannot be read: nothing more can be verified then. */
async function compareFile(
  path: string,
  { file, bytes, sha256 }: Pick<ExportManifest, 'file' | 'bytes' | 'sha256'>,
): Promise<readonly OtherFile[]> {
  const found = await digestFile(path).catch((cause: Error) => {
    throw new CommandFailure({ what: `${path} cannot be read.`, why: cause.message }, { cause });
  });
  return [
    ...(found.sha256 === sha256 ? [] : [{ file, problem: 'its SHA-256 differs' }]),
    ...(found.bytes === bytes ? [] : [{ file, problem: `it has ${found.bytes} bytes, not ${bytes}` }]),
  ];
}

/** The manifest, or what is false in it at `nowMs`. Throws `CommandFailure` for a file that is none. */
export async function readManifest(
  path: string,
  nowMs: number,
): Promise<{ readonly problems: readonly ManifestProblem[]; readonly manifest: ExportManifest | undefined }> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CommandFailure({ what: `${path} cannot be read.` }, { cause });
  });
  const manifest = toJsonObject(parseJson(text));
  if (manifest?.['version'] !== 1 || !('seals' in manifest) || hasMembersTwice(text, manifest))
    throw new CommandFailure({
      what: `${path} is not the manifest of an export.`,
      remedy: 'Pass the file whose name ends in .manifest.json, which `neuron logs export` wrote.',
    });
  const problems = findFalseMembers(manifest, nowMs);
  return { problems, manifest: problems.length > 0 ? undefined : (manifest as unknown as ExportManifest) };
}

/** Other programs take the first of two members of one name. Blanks are no part of what is compared. */
function hasMembersTwice(text: string, manifest: JsonObject): boolean {
  const [written, read] = [text, JSON.stringify(manifest)].map((one) => one.replaceAll(/\s/g, ''));
  return written !== read;
}

/** A line of the file of seals. */
interface ExportedSeal extends StoredSeal {
  readonly chain: string;
}

/** Every line in order; one that is no link of this chain or that of the service has the chain ''. */
async function* readSeals(path: string, organizationId: string): AsyncGenerator<ExportedSeal> {
  for await (const line of linesOfFile(path)) {
    if (readErasure(line, organizationId) !== undefined) continue;
    const { chain, sequence, seal } = toJsonObject(parseJson(line)) ?? {};
    const isKnown = chain === organizationId || chain === SERVICE_CHAIN;
    const isNumber = Number.isSafeInteger(sequence) && Number(sequence) > 0;
    // A member that stands twice is another one to other programs.
    const isWritten = JSON.stringify({ chain, sequence, seal }) === line;
    yield {
      chain: isKnown ? chain : '',
      sequence: isNumber ? Number(sequence) : Number.NaN,
      seal: isNumber && isWritten && isSealOf(seal, chain, sequence) ? seal : undefined,
    };
  }
}

function isErasure({ type, record }: StoredEntry): boolean {
  const { actions } = record;
  return type === 'change' && Array.isArray(actions) && actions.includes(ERASE_ACTION);
}

/** A line with a change that erased persons. It explains nothing that its seal does not show. */
function readErasure(line: string, organizationId: string): StoredEntry | undefined {
  if (!line.includes('"erasure"')) return undefined;
  const { chain, erasure } = toJsonObject(parseJson(line)) ?? {};
  const { pk, sk, record } = toJsonObject(erasure) ?? {};
  const isWritten = JSON.stringify({ chain, erasure: { pk, sk, record } }) === line;
  const isOwn = chain === organizationId && typeof pk === 'string' && typeof sk === 'string';
  if (!isWritten || !isOwn || !isJsonObject(record)) return undefined;
  const entry: StoredEntry = { type: 'change', pk, sk, record: record as StoredEntry['record'] };
  return isErasure(entry) ? entry : undefined;
}

/** The chain and the number of the line are those of the seal: another organization's seals would have fitting hashes, too. */
function isSealOf(value: unknown, chain: unknown, sequence: unknown): value is Seal {
  const seal = toJsonObject(value);
  return (
    seal !== undefined &&
    seal['chain'] === chain &&
    seal['sequence'] === sequence &&
    [seal['format'], seal['previousAtMs'], seal['sealedAtMs']].every(Number.isSafeInteger) &&
    [seal['previous'], seal['lines'], seal['hash']].every((text) => typeof text === 'string')
  );
}
