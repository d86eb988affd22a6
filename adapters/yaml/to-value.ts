// Turns YAML nodes into plain values, and names what settings files must not hold.
import { isAlias, isMap, isScalar, isSeq, type Node, type ParsedNode } from 'yaml';
import type { Path } from '../../core/settings/path.ts';

/** Something that settings files must not hold; `offset` in UTF-16 units from the start of the file. */
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

/** Recursion is safe: the depth of the text is bounded before. */
function convert(node: Node | null, path: Path, problems: Problem[]): unknown {
  if (node === null) return null;
  const refuse = (message: string) => problems.push({ offset: node.range?.[0] ?? 0, path, message });
  refuseFeatures(node, refuse);
  if (isMap<Node, Node | null>(node)) return convertMap(node.items, path, problems);
  if (isSeq<Node>(node)) return node.items.map((item, index) => convert(item, [...path, index], problems));
  if (!isScalar(node)) return undefined;
  if (typeof node.value === 'string' && !node.value.isWellFormed()) refuse('has half of a surrogate pair');
  if (typeof node.value === 'number' && !Number.isFinite(node.value)) refuse('must be a finite number');
  return node.value;
}

function refuseFeatures(node: Node, refuse: (message: string) => void): void {
  if (isAlias(node)) {
    refuse('is an alias (*); aliases and anchors are not taken: write the value again');
    return;
  }
  if (node.anchor !== undefined) refuse('has an anchor (&); anchors and aliases are not taken: remove it');
  if (node.tag !== undefined) refuse('has a tag (!); tags are not taken: remove it, and put text in quotes');
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
    const refuse = (message: string) => problems.push({ offset: key.range?.[0] ?? 0, path: at, message });
    refuseFeatures(key, refuse);
    if (members.has(name)) refuse('is given twice; keep one of them');
    // Many programs, and parts of this one, would take it for something else than a member.
    if (name === '__proto__') refuse('is not a name that settings may use');
    if (!name.isWellFormed()) refuse('has half of a surrogate pair');
    members.set(name, convert(value, at, problems));
  }
  return Object.fromEntries(members);
}
