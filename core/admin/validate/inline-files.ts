// Puts the texts of files that `systemInstructions` and policies of guards name into the document, so that what is stored names no file.

import type { Path } from '../../settings/path.ts';
import { type Diagnostic, errorAt, locateAll, type SourceDocument } from '../diagnostic.ts';
import { findPaths, type PathMatch } from '../find-paths.ts';

/** Texts beside settings files. A file that may not or cannot be read is an error in the result, never an exception. */
export interface InstructionFiles {
  /** `documentFile` is the name of the settings file as diagnostics have it; `name` what stands in the document. */
  read(documentFile: string, name: string): { readonly text: string } | { readonly error: string };
}

const FILE_PLACES = [
  ['flow', '**', 'systemInstructions', 'file'],
  ['guards', '*', 'policy', 'file'],
] as const;

/** The document with texts in place of files; places stay those of the file's document. */
export function inlineFiles(
  source: SourceDocument,
  files: InstructionFiles,
): { readonly document: SourceDocument; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  let { value } = source;
  const named = FILE_PLACES.flatMap((place) => findPaths(value, place));
  for (const { path, value: name } of named) {
    // Anything but text is for the schema to refuse.
    if (typeof name !== 'string') continue;
    const read = files.read(source.locate([]).file, name);
    if ('error' in read) diagnostics.push(...locateAll(source, [errorAt(path, read.error)]));
    else value = replaceFile(value, path.slice(0, -1), read.text);
  }
  return { document: { ...source, value }, diagnostics };
}

function replaceFile(value: PathMatch['value'], path: Path, text: string): unknown {
  const [part, ...rest] = path;
  if (part === undefined) {
    const { file: _, ...others } = value as Readonly<Record<string, unknown>>;
    return { text, ...others };
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === part ? replaceFile(item, rest, text) : item));
  }
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [part]: replaceFile(members[part], rest, text) };
}
