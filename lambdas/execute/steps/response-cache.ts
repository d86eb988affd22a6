// Looks the answer up in the response cache.
import { readExact } from '../../../core/cache/exact.ts';
import { type CacheLookup, lookUp, type StartedLookup } from '../../../core/cache/lookup.ts';
import { type CachePlan, planCaching } from '../../../core/cache/plan.ts';
import type { ExecutionPorts } from '../compose.ts';
import type { AdmittedCall, Call } from '../run.ts';
import { type SemanticPorts, semanticSearch } from './semantic-search.ts';

/** Starts the exact read beside the writes of limits. Its result is used only after the request has been admitted. */
export function startCacheRead(
  call: Call,
  ports: Pick<ExecutionPorts, 'clock' | 'responses'>,
): StartedLookup {
  const plan = planOf(call);
  const exact =
    plan.kind === 'use' ? readExact(plan.key, ports) : Promise.resolve({ kind: 'absent' as const });
  return { plan, exact };
}

/** After every step that may reject the request. A failure in here fails no run. */
export async function lookUpAnswer(
  call: AdmittedCall,
  caching: StartedLookup,
  ports: SemanticPorts & Pick<ExecutionPorts, 'inFlight'>,
): Promise<CacheLookup> {
  return lookUp({
    ...caching,
    inFlight: ports.inFlight,
    now: ports.clock.now,
    signal: call.deadline.signal,
    semanticSearch: (key, semantic) => semanticSearch(call, { key, semantic }, ports),
  });
}

function planOf({ settings, version, request, admission, invocation }: Call): CachePlan {
  return planCaching({
    settings,
    version,
    preview: request.revision !== undefined,
    caller: admission,
    conversation: invocation.conversation,
    bypassCache: invocation.bypassCache,
  });
}
