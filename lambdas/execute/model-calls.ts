// The model calls of a request, for its log entry and its receipt.
import type { LoggedModelCall } from '../../core/contract/log-entry.ts';
import type { Run } from './run.ts';

/** Every model that was asked: for the embedding of the lookup, then in the run. */
export function modelCallsOf({ lookup, result }: Run): readonly LoggedModelCall[] {
  return [...(lookup?.embedding === undefined ? [] : [lookup.embedding]), ...(result?.modelCalls ?? [])];
}
