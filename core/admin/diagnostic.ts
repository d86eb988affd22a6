// Diagnostics about settings files: what is wrong, where, how severe it is, and how to solve it.
import { type Path, renderPath } from '../settings/path.ts';

/** A place in a file; lines and columns count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A document as read from a file, before it is validated. */
export interface SourceDocument {
  readonly value: unknown;
  /** The place of a path, or of the nearest part of it that is there. */
  readonly locate: (path: Path) => Position;
}

/** An error stops every write; a warning stops none. `message` completes a sentence that begins with the path. */
export interface Diagnostic extends Position {
  readonly severity: 'error' | 'warning';
  /** From the root of the document. */
  readonly path: Path;
  readonly message: string;
}

/** A diagnostic about a part of a document, whose file does not matter yet; its path begins at that part. */
export type PartDiagnostic = Omit<Diagnostic, keyof Position>;

export function errorAt(path: Path, message: string): PartDiagnostic {
  return { severity: 'error', path, message };
}

export function warningAt(path: Path, message: string): PartDiagnostic {
  return { severity: 'warning', path, message };
}

/** Diagnostics of the part at `path`, as diagnostics of the whole. */
export function below(path: Path, diagnostics: readonly PartDiagnostic[]): PartDiagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, path: [...path, ...diagnostic.path] }));
}

/** Diagnostics of a document with their places in its file. */
export function locateAll(document: SourceDocument, diagnostics: readonly PartDiagnostic[]): Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...document.locate(diagnostic.path), ...diagnostic }));
}

/** Errors and warnings apart, each in the order given. */
export function splitBySeverity<T extends PartDiagnostic>(
  diagnostics: readonly T[],
): { readonly errors: readonly T[]; readonly warnings: readonly T[] } {
  const of = (severity: Diagnostic['severity']) => diagnostics.filter((one) => one.severity === severity);
  return { errors: of('error'), warnings: of('warning') };
}

/** Orders diagnostics file by file, from top to bottom. */
export function byPlace(one: Position, other: Position): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}

/** `FILE:LINE:COLUMN: PATH: MESSAGE`, a form that editors and terminals turn into a link. */
export function renderDiagnostic({ file, line, column, path, message }: Diagnostic): string {
  const subject = path.length === 0 ? '' : `${renderPath(path)}: `;
  return `${file}:${line}:${column}: ${subject}${message}`;
}
