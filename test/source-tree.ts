// Reads the source tree for the architecture test: files, their imports, their functions.
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { type Node, parse } from 'acorn';
import { full } from 'acorn-walk';
import { parseSync } from 'vite';

/** The repository's root. */
export const ROOT = join(import.meta.dirname, '..');

/** One import as written, and where it leads within the repository; `typeOnly` for `import type`. */
export interface Import {
  readonly specifier: string;
  /** Path from the root, when the import is relative. */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
  /** Names taken from the module. */
  readonly names: readonly string[];
}

/** A source file; `path` from the root, with slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly Import[];
}

/** A function and how many lines it takes. */
export interface FunctionSize {
  readonly path: string;
  readonly line: number;
  readonly lines: number;
}

const IMPORT = /^\s*(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Every TypeScript file of the given folders. */
export function readSources(folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) => listFiles(join(ROOT, folder))).map(readSource);
}

function listFiles(folder: string): string[] {
  let entries: import('node:fs').Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && /\.(?:tsx?|js|mjs)$/.test(entry.name))
    .filter(({ parentPath }) => !/[\\/](?:node_modules|\.venv)(?:[\\/]|$)/.test(parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/](?:dist|fixtures)[\\/]/.test(path));
}

function readSource(absolute: string): SourceFile {
  const path = relative(ROOT, absolute).split(sep).join('/');
  const text = readFileSync(absolute, 'utf8');
  return { path, text, lines: text.trimEnd().split('\n').length, imports: importsOf(path, text) };
}

function importsOf(path: string, text: string): Import[] {
  const fixed = [...text.matchAll(IMPORT)].map(([, type, clause, specifier]) =>
    toImport(path, specifier, clause, type),
  );
  const dynamic = [...text.matchAll(DYNAMIC_IMPORT)].map(([, specifier]) =>
    toImport(path, specifier, undefined, undefined),
  );
  return [...fixed, ...dynamic];
}

function toImport(path: string, specifier = '', clause = '', type: string | undefined): Import {
  const names = /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? [];
  const inline = names.map((name) => name.trim()).filter((name) => name !== '');
  const onlyTypes =
    inline.length > 0 && inline.every((name) => name.startsWith('type ')) && /^\s*\{/.test(clause);
  return {
    specifier,
    target: specifier.startsWith('.')
      ? normalize(join(dirname(path), specifier))
          .split(sep)
          .join('/')
      : undefined,
    typeOnly: type !== undefined || onlyTypes,
    names: inline
      .filter((name) => !name.startsWith('type '))
      .map((name) => name.split(/\s+as\s+/)[0] ?? name),
  };
}

/** Every function of a file that takes more than `most` lines. */
export function functionsLongerThan(file: SourceFile, most: number): FunctionSize[] {
  if (file.path.endsWith('.tsx')) return componentsLongerThan(file, most);
  const code = file.path.endsWith('.ts') ? stripTypeScriptTypes(file.text) : file.text;
  const tree = parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    allowHashBang: true,
  });
  const sizes: FunctionSize[] = [];
  full(tree, (node: Node) => {
    if (!/Function/.test(node.type) || node.loc === undefined || node.loc === null) return;
    const lines = node.loc.end.line - node.loc.start.line + 1;
    if (lines > most) sizes.push({ path: file.path, line: node.loc.start.line, lines });
  });
  return sizes;
}

/** The same where there is JSX, which acorn does not read. */
function componentsLongerThan({ path, text }: SourceFile, most: number): FunctionSize[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed`);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const sizes: FunctionSize[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, start, end } = node as { type?: unknown; start?: number; end?: number };
    if (typeof type === 'string' && /Function/.test(type) && start !== undefined && end !== undefined) {
      const line = lineAt(start);
      const lines = lineAt(end) - line + 1;
      if (lines > most) sizes.push({ path, line, lines });
    }
    for (const below of Object.values(node)) visit(below);
  };
  visit(program);
  return sizes;
}

/** Import cycles among the files, each as the list of paths that it goes through. Types are erased and make no cycle. */
export function findCycles(files: readonly SourceFile[]): string[][] {
  const targets = new Map(
    files.map((file) => [
      file.path,
      file.imports.flatMap(({ target, typeOnly }) => (target && !typeOnly ? [target] : [])),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, way: readonly string[]): void => {
    const seen = way.indexOf(path);
    if (seen !== -1) cycles.push([...way.slice(seen), path]);
    if (seen !== -1 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return cycles;
}
