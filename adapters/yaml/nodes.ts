// Turns YAML nodes into plain values, names what settings files must not hold, and finds the position of a path.
import { isAlias, isMap, isScalar, isSeq, type Node, type ParsedNode } from 'yaml';
import type { Path } from '../../core/settings/path.ts';

/** A part that settings files must not hold; `offset` in UTF-16 units from the start of the file. */
interface Problem {
  readonly offset: number;
  readonly path: Path;
  readonly message: string;
}

/** A plain value of maps, lists and scalars, and every problem on the way. */
export function toValue(node: ParsedNode): { readonly value: unknown; readonly problems: Problem[] } {
  const problems: Problem[] = [];
  return { value: convert(node, [], problems), problems };
}

/** Recursion is safe: the depth of the text has been bounded. */
function convert(node: Node | null, path: Path, problems: Problem[]): unknown {
  if (node === null) return null;
  const reject = (message: string) => problems.push({ offset: node.range?.[0] ?? 0, path, message });
  rejectFeatures(node, reject);
  if (isMap<Node, Node | null>(node)) return convertMap(node.items, path, problems);
  if (isSeq<Node>(node)) return node.items.map((item, index) => convert(item, [...path, index], problems));
  if (!isScalar(node)) return undefined;
  if (typeof node.value === 'string' && !node.value.isWellFormed()) reject('has half of a surrogate pair');
  if (typeof node.value === 'number' && !Number.isFinite(node.value)) reject('must be a finite number');
  return node.value;
}

function rejectFeatures(node: Node, reject: (message: string) => void): void {
  if (isAlias(node)) {
    reject('is an alias (*); aliases and anchors are not taken: write the value again');
    return;
  }
  if (node.anchor !== undefined) reject('has an anchor (&); anchors and aliases are not taken: remove it');
  if (node.tag !== undefined) reject('has a tag (!); tags are not taken: remove it, and put text in quotes');
}

function convertMap(
  items: readonly { readonly key: Node; readonly value: Node | null }[],
  path: Path,
  problems: Problem[],
): Record<string, unknown> {
  const members = new Map<string, unknown>();
  for (const { key, value } of items) {
    const name = isScalar(key) ? String(key.value) : '';
    const at = [...path, name];
    const reject = (message: string) => problems.push({ offset: key.range?.[0] ?? 0, path: at, message });
    rejectFeatures(key, reject);
    if (members.has(name)) reject('is given twice; keep one of them');
    // Many programs, and parts of this one, would not treat it as a member.
    if (name === '__proto__') reject('is not a name that settings may use');
    if (!name.isWellFormed()) reject('has half of a surrogate pair');
    members.set(name, convert(value, at, problems));
  }
  return Object.fromEntries(members);
}

/** The offset of a path: that of the member's name or the list's entry. Of a path that leads too far, the offset of its last existing part. */
export function locateNode(root: ParsedNode, path: Path): number {
  let node: Node | null = root;
  let offset = root.range[0];
  for (const part of path) {
    const next = childAt(node, part);
    if (next === undefined) break;
    node = next.node;
    offset = next.offset ?? offset;
  }
  return offset;
}

interface ChildNode {
  readonly node: Node | null;
  readonly offset: number | undefined;
}

function childAt(node: Node | null, part: string | number): ChildNode | undefined {
  if (isMap<Node, Node | null>(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
    return pair === undefined ? undefined : { node: pair.value, offset: pair.key.range?.[0] };
  }
  if (!isSeq<Node>(node) || typeof part !== 'number') return undefined;
  const item = node.items[part];
  return item === undefined ? undefined : { node: item, offset: item.range?.[0] };
}
