// Reads the files that flows name for their system instructions, so that a version holds the text itself.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { findPaths } from '../core/config/find-paths.ts';
import { type Finding, findingAt, type Path, type SourceDocument } from '../core/config/finding.ts';

/** In UTF-8; the schema allows 100,000 characters, of at most four bytes each. */
const MAX_BYTES = 400_000;

/** The documents with texts in place of files, and what could not be read. */
export interface ReadInstructions {
  readonly documents: readonly SourceDocument[];
  readonly findings: readonly Finding[];
}

/** Reads every `systemInstructions: { file }`; a file must lie in the folder of its document or below, links followed. */
export function readInstructionFiles(
  documents: readonly SourceDocument[],
  workingFolder: string,
): ReadInstructions {
  const read = documents.map((document) => readDocument(document, workingFolder));
  return {
    documents: read.map(({ document }) => document),
    findings: read.flatMap(({ findings }) => findings),
  };
}

function readDocument(
  document: SourceDocument,
  workingFolder: string,
): { readonly document: SourceDocument; readonly findings: readonly Finding[] } {
  const named = findPaths(document.value, ['flow', '**', 'systemInstructions', 'file']);
  const folder = dirname(resolve(workingFolder, document.locate([]).file));
  const findings: Finding[] = [];
  const value = structuredClone(document.value);
  for (const { path, value: file } of named) {
    if (typeof file !== 'string') continue;
    try {
      replaceByText(value, path.slice(0, -1), readText(folder, file));
    } catch (error) {
      findings.push(findingAt(document, path, (error as Error).message));
    }
  }
  return { document: named.length === 0 ? document : { ...document, value }, findings };
}

/** Throws an `Error` whose message completes a sentence about the file. */
function readText(folder: string, file: string): string {
  if (isAbsolute(file)) throw new Error('must be a path relative to the folder of this document');
  const path = realPathOf(resolve(folder, file), file);
  if (!path.startsWith(realpathSync(folder) + sep)) {
    throw new Error(`names ${file}, which is not in the folder of this document or below it`);
  }
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`names ${file}, which is longer than ${MAX_BYTES} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const reason = error instanceof TypeError ? 'is not text in UTF-8' : 'cannot be read';
    throw new Error(`names ${file}, which ${reason}`);
  }
}

function realPathOf(path: string, file: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new Error(`names ${file}, which is not there`);
  }
}

/** The step's other members stay; a text beside the file is left for the schema to refuse. */
function replaceByText(root: unknown, path: Path, text: string): void {
  let at = root as Record<string | number, unknown>;
  for (const part of path) at = at[part] as Record<string | number, unknown>;
  if (Object.hasOwn(at, 'text')) return;
  delete at['file'];
  at['text'] = text;
}
