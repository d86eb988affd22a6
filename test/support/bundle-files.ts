// What a bundle consists of: the files that its function loads at start, and those that it may load later.
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { type Node, parse } from 'acorn';
import { full } from 'acorn-walk';

/** One file of a bundle. */
export interface BundleFile {
  readonly name: string;
  readonly code: string;
  readonly bytes: number;
  /** Loaded with the handler: `index.mjs`, what it imports, and what that imports. */
  readonly atStart: boolean;
}

/** A module that code imports; `lazy` for `import()`. */
export interface BundleImport {
  readonly name: string;
  readonly lazy: boolean;
}

type ImportingNode = Node & { readonly source?: { readonly value?: unknown } | null };

/** Bundles are read again and again, and have files in common. */
const parsed = new Map<string, readonly BundleImport[]>();

/** What a module imports, read by a parser: messages of the SDK speak of imports too. An `import()` of no constant is named ''. */
export function importsOf(code: string): readonly BundleImport[] {
  const before = parsed.get(code);
  if (before !== undefined) return before;
  const found: BundleImport[] = [];
  full(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node: Node) => {
    const { source } = node as ImportingNode;
    if (node.type === 'ImportExpression') found.push({ name: String(source?.value ?? ''), lazy: true });
    else if (source?.value !== undefined && /^(?:Import|Export)/.test(node.type))
      found.push({ name: String(source.value), lazy: false });
  });
  parsed.set(code, found);
  return found;
}

/** The files of a bundle, `index.mjs` first. */
export function readBundle(folder: string): BundleFile[] {
  const names = readdirSync(folder).sort((one) => (one === 'index.mjs' ? -1 : 1));
  const codes = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const atStart = new Set(['index.mjs']);
  // A set goes through what is added to it meanwhile.
  for (const name of atStart) {
    for (const imported of importsOf(codes.get(name) ?? '')) {
      if (!imported.lazy && !isBuiltin(imported.name)) atStart.add(basename(imported.name));
    }
  }
  return [...codes].map(([name, code]) => ({
    name,
    code,
    bytes: Buffer.byteLength(code),
    atStart: atStart.has(name),
  }));
}

/** Bytes of what the function loads at start, and of all of the bundle. */
export function sizesOf(files: readonly BundleFile[]): { readonly start: number; readonly all: number } {
  const sum = (some: readonly BundleFile[]) => some.reduce((total, { bytes }) => total + bytes, 0);
  return { start: sum(files.filter(({ atStart }) => atStart)), all: sum(files) };
}
