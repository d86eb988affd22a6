// Looks the answer up in the response cache.
import { lazy } from '../../../core/async/lazy.ts';
import { readExact } from '../../../core/cache/exact.ts';
import {
  type CacheLookup,
  lookUp,
  type SemanticLookup,
  type StartedLookup,
  type StartedVectorReads,
} from '../../../core/cache/lookup.ts';
import {
  type CacheKey,
  type CachePlan,
  planCaching,
  type SemanticSettings,
} from '../../../core/cache/plan.ts';
import { hashEmbeddingInput, readVectors } from '../../../core/cache/vectors.ts';
import { inputOutcomes } from '../../../core/flow/contains.ts';
import { embedOf } from '../../../core/settings/flow-schema.ts';
import type { AdmittedCall, Call, ExecutionPorts } from '../run.ts';
import { toCostOf } from './flow.ts';

/** Starts the exact read beside the writes of limits. Its result is used only after the request has been admitted. */
export function startCacheRead(
  call: Call,
  ports: Pick<ExecutionPorts, 'clock' | 'responses'>,
): StartedLookup {
  const plan = planOf(call);
  if (plan.kind === 'use' && call.invocation.embedding !== undefined) {
    return { plan, exact: ABSENT, vectors: startVectorReads(call, plan.key, ports) };
  }
  const exact = plan.kind === 'use' ? readExact(plan.key, ports) : ABSENT;
  return { plan, exact };
}

const ABSENT = Promise.resolve({ kind: 'absent' as const });

/** Each text is looked up by itself. */
function startVectorReads(
  { invocation: { embedding }, version }: Call,
  key: CacheKey,
  ports: Pick<ExecutionPorts, 'clock' | 'responses'>,
): StartedVectorReads {
  const step = embedOf(version.flow);
  const hashes =
    step === undefined || embedding === undefined
      ? []
      : embedding.inputs.map((input) => hashEmbeddingInput(input, step, embedding));
  return { hashes, reads: readVectors(key, hashes, ports) };
}

/** After every step that may reject the request. A failure in here fails no run. */
export async function lookUpAnswer(
  call: AdmittedCall,
  caching: StartedLookup,
  ports: SemanticPorts & Pick<ExecutionPorts, 'inFlight'>,
): Promise<CacheLookup> {
  const lookup = await lookUp({
    ...caching,
    inFlight: ports.inFlight,
    now: ports.clock.now,
    signal: call.deadline.signal,
    semanticSearch: (key, semantic) => semanticSearch(call, { key, semantic }, ports),
  });
  return inspectHit(lookup, call);
}

/** An answer that the guards would not let out now is none. */
async function inspectHit(lookup: CacheLookup, { guards }: AdmittedCall): Promise<CacheLookup> {
  const { found } = lookup;
  if (guards === undefined || found === undefined) return lookup;
  const output = await guards.inspectKept(found.output);
  return output === undefined
    ? { ...lookup, result: 'miss', found: undefined, distance: undefined }
    : { ...lookup, found: { ...found, output } };
}

function planOf({ settings, version, request, admission, invocation, blockedText }: Call): CachePlan {
  if (blockedText !== undefined) return { kind: 'off' };
  return planCaching({
    settings,
    version,
    preview: request.revision !== undefined,
    caller: admission,
    conversation: invocation.conversation,
    bypassCache: invocation.bypassCache,
  });
}

/** Only neurons that cache semantically need it. */
const loadSearch = lazy(() => import('../../../core/cache/semantic-search.ts'));

type SemanticPorts = Pick<ExecutionPorts, 'clock' | 'responses' | 'vectors' | 'circuits' | 'providersOf'>;

/** Never rejects: a lookup that fails is a miss, and the run reports what is wrong with its flow. */
async function semanticSearch(
  { settings, invocation, deadline, version, budget, flowPorts }: AdmittedCall,
  lookup: { readonly key: CacheKey; readonly semantic: SemanticSettings },
  ports: SemanticPorts,
): Promise<SemanticLookup> {
  const { input } = invocation;
  try {
    const outcomes = () => inputOutcomes(version.flow, invocation.conversation, deadline);
    const { findSemantic } = await loadSearch();
    return await findSemantic(
      { ...lookup, settings, input, outcomes },
      {
        clock: ports.clock,
        responses: ports.responses,
        vectors: ports.vectors,
        breakers: ports.circuits.within(settings.neuronId),
        findEmbedding: (name) => ports.providersOf(settings)(name)?.embedding,
        reserve: budget.reserve,
        onAttempt: flowPorts.onAttempt,
        costOf: toCostOf(settings),
      },
    );
  } catch {
    return { failure: 'search' };
  }
}
