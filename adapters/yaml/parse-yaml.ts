// Reads settings files: YAML 1.2 core, several documents per file, without anchors, aliases, tags and directives.
import { type Document, Lexer, LineCounter, type ParsedNode, Parser, parseAllDocuments } from 'yaml';
import type { Diagnostic, Position, SourceDocument } from '../../core/admin/diagnostic.ts';
import { locateNode, toValue } from './nodes.ts';

/** UTF-16 units of one file; a stored document must be smaller. */
export const MAX_FILE_LENGTH = 500_000;
/** Nesting of a file; the deepest flow needs less than half of it. */
const MAX_DEPTH = 100;

/** Documents with an error are left out. */
interface ParsedYaml {
  readonly documents: readonly SourceDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the text of one file; `file` is its name in diagnostics. Never throws. */
export function parseYaml(file: string, text: string): ParsedYaml {
  const rejected = rejectText(file, text);
  if (rejected !== undefined) return { documents: [], diagnostics: [rejected] };
  const lines = new LineCounter();
  const parsed = parseAllDocuments<ParsedNode>(text, {
    version: '1.2',
    schema: 'core',
    strict: true,
    // `toValue` compares names: the library's own comparison takes quadratic time.
    uniqueKeys: false,
    merge: false,
    stringKeys: true,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter: lines,
  });
  const at = (offset: number): Position => position(file, lines, offset);
  const read = [...parsed].map((document) => readDocument(document, at));
  return {
    documents: read.flatMap(({ document }) => document ?? []),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

interface DocumentResult {
  readonly document?: SourceDocument;
  readonly diagnostics: readonly Diagnostic[];
}

function readDocument(
  document: Document.Parsed<ParsedNode>,
  at: (offset: number) => Position,
): DocumentResult {
  const errors = document.errors.map(({ code, message, pos: [offset] }) => ({
    ...at(offset),
    severity: 'error' as const,
    path: [],
    message: explain(code, message),
  }));
  if (errors.length > 0) return { diagnostics: errors };
  const contents = document.contents as ParsedNode | null;
  // Nothing, or only comments, between two separators.
  if (contents === null || contents.range[0] === contents.range[1]) return { diagnostics: [] };
  const { value, problems } = toValue(contents);
  if (document.directives?.yaml.explicit || hasOwnTags(document)) {
    problems.unshift({ offset: 0, path: [], message: 'must not begin with a directive such as %YAML' });
  }
  if (problems.length > 0) {
    return {
      diagnostics: problems.map(({ offset, path, message }) => ({
        ...at(offset),
        severity: 'error',
        path,
        message,
      })),
    };
  }
  return { document: { value, locate: (path) => at(locateNode(contents, path)) }, diagnostics: [] };
}

/** `%TAG` adds handles to the one that every document has. */
function hasOwnTags({ directives }: Document.Parsed<ParsedNode>): boolean {
  return Object.keys(directives?.tags ?? {}).some((handle) => handle !== '!!');
}

/** An error for a text that must not be parsed: the library is slow on long texts, and deep ones end the process. */
function rejectText(file: string, text: string): Diagnostic | undefined {
  const reject = (message: string, place = { line: 1, column: 1 }): Diagnostic => ({
    file,
    ...place,
    severity: 'error',
    path: [],
    message,
  });
  if (text.length > MAX_FILE_LENGTH) {
    return reject(`is longer than ${MAX_FILE_LENGTH} characters; split it into several files`);
  }
  const deepAt = findTooDeep(text);
  if (deepAt === undefined) return undefined;
  return reject(`is nested more than ${MAX_DEPTH} deep`, deepAt);
}

/** Follows the parser's own stack, which grows by one with each collection that is opened. */
function findTooDeep(text: string): { readonly line: number; readonly column: number } | undefined {
  const parser = new Parser();
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme)) {
      // The tokens are not needed, only the parser's stack.
    }
    if (parser.stack.length > MAX_DEPTH) {
      const before = text.slice(0, parser.offset);
      const lineStart = before.lastIndexOf('\n') + 1;
      return { line: before.split('\n').length, column: before.length - lineStart + 1 };
    }
  }
  return undefined;
}

/** The library's message, or a better one with a remedy for a usual error (yaml 2, `ErrorCode`). */
function explain(code: string, message: string): string {
  const text = message.charAt(0).toLowerCase() + message.slice(1);
  if (code === 'TAB_AS_INDENT') return 'is not YAML: a line is indented by a tab; indent with spaces';
  if (code === 'NON_STRING_KEY') return 'is not settings: member names must be plain text';
  if (code === 'MULTIPLE_DOCS') return 'holds several documents; separate them with ---';
  return `is not YAML: ${text}`;
}

function position(file: string, lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { file, line: Math.max(1, line), column: Math.max(1, col) };
}
