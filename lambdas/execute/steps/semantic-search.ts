// Looks an answer up by the meaning of its input.
import { lazy } from '../../../core/async/lazy.ts';
import type { SemanticLookup } from '../../../core/cache/lookup.ts';
import type { CacheKey, SemanticSettings } from '../../../core/cache/plan.ts';
import { inputOutcomes } from '../../../core/flow/contains.ts';
import type { ExecutionPorts } from '../compose.ts';
import type { AdmittedCall } from '../run.ts';
import { toCostOf } from './flow.ts';

/** Only neurons that cache semantically need it. */
const loadSearch = lazy(() => import('../../../core/cache/semantic-search.ts'));

export type SemanticPorts = Pick<
  ExecutionPorts,
  'clock' | 'responses' | 'vectors' | 'circuits' | 'providersOf'
>;

/** Never rejects: a lookup that fails is a miss, and the run reports what is wrong with its flow. */
export async function semanticSearch(
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
