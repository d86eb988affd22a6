// Binds the semantic lookup to one request.
import type { MeaningLookup } from '../../core/cache/lookup.ts';
import type { CachePlace, SemanticSettings } from '../../core/cache/plan.ts';
import type { Run } from './run.ts';

/** What the semantic lookup needs. */
export type MeaningPorts = object;

/** Never rejects. */
export async function searchByMeaning(
  _run: Run,
  _lookup: { readonly place: CachePlace; readonly semantic: SemanticSettings },
  _ports: MeaningPorts,
): Promise<MeaningLookup> {
  return {};
}
