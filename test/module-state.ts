// Finds what a module keeps while its process lives: bindings that change, and values whose content does.
import { stripTypeScriptTypes } from 'node:module';
import { type Expression, type Node, parse, type VariableDeclaration } from 'acorn';
import { full } from 'acorn-walk';

/** Methods that change a Map, a Set, a WeakMap or an array. */
const CHANGING: ReadonlySet<string> = new Set([
  ...['set', 'add', 'delete', 'clear'],
  ...['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill'],
]);
/** Of a pattern with one of the flags `g` and `y`: they begin where the last one ended. */
const MOVING: ReadonlySet<string> = new Set(['exec', 'test']);
/** Functions whose result remembers something, by their names. */
const REMEMBERING = /^(?:create|cache|compose|once|memo|lazy|start)/;
const COLLECTIONS: ReadonlySet<string> = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);
const EVERYWHERE = ['globalThis', 'process'];

/** The nodes of acorn, as far as they are looked at here. */
interface AnyNode {
  readonly type: string;
  readonly name?: string;
  readonly object?: AnyNode;
  readonly property?: AnyNode;
  readonly callee?: AnyNode;
  readonly arguments?: readonly AnyNode[];
  readonly left?: AnyNode;
  readonly argument?: AnyNode;
  readonly id?: AnyNode;
  readonly init?: AnyNode | null;
  readonly static?: boolean;
  readonly regex?: { readonly flags: string };
}

/** The names of a file's module scope that hold state, each after the file. A loader of modules holds none of a call. */
export function moduleState(path: string, text: string): readonly string[] {
  const code = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const changed = changedNames(body);
  const declared = body
    .map((node) => (node.type === 'ExportNamedDeclaration' ? (node.declaration ?? node) : node))
    .flatMap((node) => {
      if (node.type === 'ClassDeclaration') return changed.has(node.id.name) ? [node.id.name] : [];
      return node.type === 'VariableDeclaration' ? heldBy(node, changed, code) : [];
    });
  return [...declared, ...EVERYWHERE.filter((name) => changed.has(name))].map((name) => `${path} ${name}`);
}

function heldBy({ kind, declarations }: VariableDeclaration, changed: ReadonlySet<string>, code: string) {
  return declarations.flatMap(({ id, init }) => {
    const name = id.type === 'Identifier' ? id.name : code.slice(id.start, id.end);
    return kind !== 'const' || changed.has(name) || remembers(init) ? [name] : [];
  });
}

function remembers(init: Expression | null | undefined): boolean {
  const { type, callee, arguments: args = [] } = (init ?? { type: '' }) as AnyNode;
  const name = callee?.name ?? '';
  if (type === 'NewExpression') return COLLECTIONS.has(name) && args.length === 0;
  return type === 'CallExpression' && REMEMBERING.test(name) && !(name === 'lazy' && imports(init));
}

function imports(init: Expression | null | undefined): boolean {
  let found = false;
  if (init)
    full(init, ({ type }: Node) => {
      found ||= type === 'ImportExpression';
    });
  return found;
}

/** Names that something is assigned to or within, and those whose content a method changes; `static` members of classes too. */
function changedNames(body: readonly Node[]): ReadonlySet<string> {
  const nodes: AnyNode[] = [];
  for (const node of body) full(node, (one) => nodes.push(one as unknown as AnyNode));
  const moving = new Set(
    nodes.flatMap(({ type, id, init }) =>
      type === 'VariableDeclarator' && /[gy]/.test(init?.regex?.flags ?? newFlags(init)) ? [id?.name] : [],
    ),
  );
  const names = nodes.flatMap((node) => {
    const { type, callee, left, argument, arguments: [first] = [] } = node;
    if (type === 'AssignmentExpression') return [rootOf(left)];
    if (type === 'UpdateExpression') return [rootOf(argument)];
    if (type !== 'CallExpression' || callee?.type !== 'MemberExpression') return [];
    const owner = callee.object?.name;
    const method = callee.property?.name ?? '';
    if (owner === 'Object' && method === 'assign') return [rootOf(first)];
    return CHANGING.has(method) || (moving.has(owner) && MOVING.has(method)) ? [owner] : [];
  });
  return new Set(names.filter((name) => name !== undefined));
}

/** The flags of `new RegExp(text, 'g')`. */
function newFlags(init: AnyNode | null | undefined): string {
  const flags = init?.callee?.name === 'RegExp' ? init.arguments?.[1] : undefined;
  return flags === undefined ? '' : String((flags as { value?: unknown }).value ?? '');
}

function rootOf(node: AnyNode | undefined): string | undefined {
  return node?.type === 'MemberExpression' ? rootOf(node.object) : node?.name;
}
