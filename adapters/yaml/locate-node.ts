// Finds the place of a path in a YAML document.
import { isMap, isScalar, isSeq, type Node, type ParsedNode } from 'yaml';
import type { Path } from '../../core/settings/path.ts';

/** The offset of a path: a member's name, a list's entry; where the path leads on to nothing, of its last part that is there. */
export function locateNode(root: ParsedNode, path: Path): number {
  let node: Node | null = root;
  let offset = root.range[0];
  for (const part of path) {
    const next = enter(node, part);
    if (next === undefined) break;
    node = next.node;
    offset = next.offset ?? offset;
  }
  return offset;
}

interface Place {
  readonly node: Node | null;
  readonly offset: number | undefined;
}

function enter(node: Node | null, part: string | number): Place | undefined {
  if (isMap<Node, Node | null>(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
    return pair === undefined ? undefined : { node: pair.value, offset: pair.key.range?.[0] };
  }
  if (!isSeq<Node>(node) || typeof part !== 'number') return undefined;
  const item = node.items[part];
  return item === undefined ? undefined : { node: item, offset: item.range?.[0] };
}
