// Shapes that `neuron users erase` prints with --json. The page of `neuron console` reads the same.

/** Numbers of items that were erased, or with `dryRun` would be. */
export interface PersonReport {
  readonly organization: string;
  readonly dryRun: boolean;
  /** Ids of the changes; absent for a dry run, empty where nothing was kept. */
  readonly changes?: readonly string[];
  readonly entries: number;
  readonly usage: number;
  readonly cachedAnswers: number;
  readonly keptAnswers: number;
  readonly counters: number;
  /** Blocks by the name: those that ended, which are removed, and those that run, which stay. */
  readonly blocks: {
    readonly removed: number;
    readonly kept: readonly { readonly target: string; readonly until: string }[];
  };
  /** Places that an erasure does not reach, and when each of it ends. */
  readonly notReached: readonly { readonly place: string; readonly until: string }[];
}
