// The members that were left out of a request, by the names that its caller gave them: for a header of the answer, and for the entry.
import type { ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { requireAccepted } from '../../../core/flow/accepted.ts';
import type { Flow } from '../../../core/settings/flow-schema.ts';
import { toLeftOutName } from '../../../core/surfaces/headers.ts';
import { surfaceOf } from '../../../core/surfaces/registry.ts';
import type { Invocation } from '../../../core/surfaces/surface.ts';
import type { LeftOut } from '../run.ts';

/** Names that header and entry hold. */
const MAX_NAMES = 50;

/** Begins with what the surface and the flow leave out. Throws 422 for what the flow does not accept. */
export function openLeftOut(
  { surface }: Pick<ExecutionRequest, 'surface'>,
  invocation: Invocation,
  flow: Flow,
): LeftOut {
  const names = new Set<string>();
  const note = (name: string): void => {
    if (names.size < MAX_NAMES) names.add(toLeftOutName(name));
  };
  const add = (some: readonly string[]): void => {
    for (const path of some) note(surfaceOf(surface).nameOf?.(path, invocation) ?? path);
  };
  for (const name of invocation.leftOut ?? []) note(name);
  add(requireAccepted(flow, invocation.conversation));
  return { add, names: () => [...names] };
}
