// Port to the counters of limits: one item per owner, scope, period, subject and window, with an account of each metric.

/** What limits count. Cost is in integer microdollars. */
export type Metric = 'requests' | 'tokens' | 'cost';

export const METRICS: readonly Metric[] = ['requests', 'tokens', 'cost'];

/** One metric of a counter. */
export interface Count {
  /** Used and held together: what a limit is compared with. */
  readonly taken: number;
  /** The part that is reserved and not yet used; `taken - held` is used. */
  readonly held: number;
}

/** A counter as it stands. A metric that nobody took of is absent. */
export type Counts = Readonly<Partial<Record<Metric, Count>>>;

/** How a write changes one metric; a settlement may take away. */
export interface CountChange {
  readonly metric: Metric;
  readonly taken: number;
  readonly held: number;
}

/** A change that is made only if it adds nothing, or what is taken is at most `limit` afterwards. */
export interface LimitedChange extends CountChange {
  readonly limit: number;
}

/** One conditional write: every change is made, or none. */
export interface Take {
  readonly key: string;
  readonly changes: readonly LimitedChange[];
  /** When API Gateway received the request, in milliseconds since the Unix epoch. */
  readonly atMs: number;
  /** Unix epoch seconds from which on the item may be deleted. */
  readonly expiresAt: number;
}

/** What a write found. */
export interface CounterState {
  readonly counts: Counts;
  /** `atMs` of the latest take that was made. */
  readonly atMs: number;
}

/** `state` after the write; of a refused one before it, and undefined where the store cannot say. */
export type TakeOutcome =
  | { readonly taken: true; readonly state: CounterState }
  | { readonly taken: false; readonly state: CounterState | undefined };

/** What a run still has to tell a counter: given back, or settled to what was used. */
export interface Settlement {
  readonly key: string;
  readonly changes: readonly CountChange[];
}

/**
 * Counters by key. No method tries again by itself: a write that is sent twice counts twice.
 * Every method throws `CounterFailure`.
 */
export interface CounterStore {
  /** One conditional write, with nothing read before it. */
  take(take: Take): Promise<TakeOutcome>;
  /** One unlimited write. Nothing happens where the counter is gone: its window is over. */
  settle(settlement: Settlement): Promise<void>;
  /** Strongly consistent; counters that nobody took of are absent. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, CounterState>>;
}

/** Why a counter failed. `throttled`: the write was not made. `unknown`: it may have been, and counts as made. */
export type CounterFailureKind = 'throttled' | 'unknown';

/** Thrown by counter stores. A class so that a failure is told from a defect. */
export class CounterFailure extends Error {
  readonly kind: CounterFailureKind;

  constructor(kind: CounterFailureKind, detail: { readonly cause?: unknown } = {}) {
    super(
      `the counters table failed: ${kind}`,
      detail.cause === undefined ? undefined : { cause: detail.cause },
    );
    this.name = 'CounterFailure';
    this.kind = kind;
  }
}

/** True of a write that was certainly not made, and so may be sent again. */
export function isThrottle(thrown: unknown): boolean {
  return thrown instanceof CounterFailure && thrown.kind === 'throttled';
}
