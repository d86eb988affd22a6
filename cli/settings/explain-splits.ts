// Explains which branch of each split by `stickyBy` a caller takes.
import { splitsOf } from '../../core/admin/validate/splits.ts';
import type { FlowCaller } from '../../core/flow/step.ts';
import { type Branch, isSticky, type StickySplit, stickyBranchOf } from '../../core/flow/sticky-branch.ts';
import type { Flow } from '../../core/settings/flow-schema.ts';
import { renderPath } from '../../core/settings/path.ts';
import { hasSubject } from './explained-caller.ts';

export interface ExplainedSplit {
  /** Its place in the flow, such as `flow[2].randomizedSplit`. */
  readonly path: string;
  readonly name: string | null;
  readonly by: StickySplit['stickyBy'];
  /** Null where it depends on the address of the call. */
  readonly branch: Branch | null;
}

/** In the order in which they are written; a run need not reach each of them. */
export function explainSplits(flow: Flow, caller: FlowCaller): readonly ExplainedSplit[] {
  return splitsOf(flow).flatMap(({ split, path }) => {
    if (!isSticky(split)) return [];
    const branch = hasSubject(split.stickyBy, caller) ? stickyBranchOf(split, caller) : null;
    return [{ path: renderPath(path), name: split.name ?? null, by: split.stickyBy, branch }];
  });
}

export function renderSplit({ path, name, branch }: ExplainedSplit): string {
  const split = name === null ? path : `${name} (${path})`;
  return branch === null
    ? `Split ${split}: each address has a branch of its own.`
    : `Split ${split}: this caller takes ${branch}.`;
}
