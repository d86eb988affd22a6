// Binds the semantic lookup to one request.
import type { FindProvider } from '../../adapters/providers/index.ts';
import { lazy } from '../../core/async/lazy.ts';
import type { ReadPorts } from '../../core/cache/exact.ts';
import type { SemanticLookup } from '../../core/cache/lookup.ts';
import type { CacheKey, SemanticSettings } from '../../core/cache/plan.ts';
import type { CircuitRegistry } from '../../core/flow/circuit-breaker.ts';
import { inputOutcomes } from '../../core/flow/contains.ts';
import type { VectorIndex } from '../../core/ports/response-cache.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import { toCostOf } from './flow-ports.ts';
import type { AdmittedRun } from './run.ts';

/** Only neurons that cache semantically need it. */
const loadSearch = lazy(() => import('../../core/cache/semantic-search.ts'));

/** What the semantic lookup needs. */
export interface SemanticPorts extends ReadPorts {
  readonly vectors: VectorIndex;
  readonly circuits: CircuitRegistry;
  readonly providersOf: (settings: UsableSettings) => FindProvider;
}

/** Never rejects: what cannot be looked up is run, and what is wrong with the flow is said by the run. */
export async function semanticSearch(
  { settings, invocation, deadline, version, budget }: AdmittedRun,
  lookup: { readonly key: CacheKey; readonly semantic: SemanticSettings },
  ports: SemanticPorts,
): Promise<SemanticLookup> {
  const { input } = invocation;
  try {
    const outcomes = () => inputOutcomes(version.flow, input, deadline);
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
        costOf: toCostOf(settings),
      },
    );
  } catch {
    return { failure: 'search' };
  }
}
