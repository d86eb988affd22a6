// Reserved concurrency of every function of a stage, those included that only a setting brings along.
import type { Stage } from './config.ts';

/** Stream readers run once for each partition of the log table; a few more partitions than new tables have. */
const DEFAULT_TRACES = 5;

/** Functions that a schedule starts, and that never run twice at once. */
const ALONE = 1;

/** A run by hand may come beside the daily one. */
const ARCHIVE = 2;

export type FunctionName =
  | 'authorizer'
  | 'execution'
  | 'rollup'
  | 'traces'
  | 'heads'
  | 'archive'
  | 'rollouts';

/** For each function its limit; undefined where it shares the account's unreserved concurrency, or is not part of the stage. */
export function reservedFor({
  reservedConcurrency: set,
  traces,
  logHeads,
  archive,
  compute,
}: Stage): Readonly<Record<FunctionName, number | undefined>> {
  return {
    authorizer: set?.authorizer,
    // On managed instances the number of environments is limited in its place.
    execution: compute === undefined ? set?.execution : undefined,
    rollup: set?.rollup,
    // Where others have a limit, no function may take the whole account's concurrency.
    traces: set === undefined || traces === undefined ? undefined : (set.traces ?? DEFAULT_TRACES),
    heads: set === undefined || logHeads === undefined ? undefined : ALONE,
    archive: set === undefined || archive === undefined ? undefined : ARCHIVE,
    rollouts: set === undefined ? undefined : ALONE,
  };
}

/** Sum that all functions take of the account's quota. Provisioned concurrency is part of what a function reserves. */
export function totalReserved(stage: Stage): number {
  const reserved = Object.entries(reservedFor(stage)) as [FunctionName, number | undefined][];
  const provisioned: Partial<Record<FunctionName, number>> = stage.provisionedConcurrency ?? {};
  return reserved.reduce((sum, [name, limit]) => sum + (limit ?? provisioned[name] ?? 0), 0);
}
