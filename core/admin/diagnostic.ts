// Diagnostics about settings files: where, what is wrong, and how to solve it.

/** Member names and list indexes from the root of a document. */
export type Path = readonly (string | number)[];

/** A place in a file; lines and columns count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A document as read from a file, before anything is judged. */
export interface SourceDocument {
  readonly value: unknown;
  /** The place of a path, or of the nearest part of it that is there. */
  readonly locate: (path: Path) => Position;
}

/** One thing to say about a document: what is wrong at the path, and how to solve it. */
export interface Diagnostic extends Position {
  readonly path: Path;
  readonly message: string;
}

/** A finding at a path of a document. */
export function diagnosticAt(document: SourceDocument, path: Path, message: string): Diagnostic {
  return { ...document.locate(path), path, message };
}

/** `flow[0].callModel.model`; members that are no plain words are quoted. Empty for the document itself. */
export function renderPath(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[A-Za-z_][\w-]*$/.test(part)) return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join('');
}

/** `FILE:LINE:COLUMN: PATH: MESSAGE`, a form that editors and terminals turn into a link. */
export function renderDiagnostic({ file, line, column, path, message }: Diagnostic): string {
  const subject = path.length === 0 ? '' : `${renderPath(path)}: `;
  return `${file}:${line}:${column}: ${subject}${message}`;
}
