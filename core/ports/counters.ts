// Port to the counters of limits: one item per owner, scope, subject and window, with a count for each metric. Runs at once have no window.

/** Cost is in integer microdollars; `concurrent` counts runs in progress, all of them held. */
export type LimitMetric = 'requests' | 'tokens' | 'cost' | 'concurrent';

interface Count {
  /** Used and held together: the number that limits bound. */
  readonly taken: number;
  /** The part of `taken` that is reserved by runs in progress; the rest, `taken - held`, is used. */
  readonly held: number;
}

/** A counter's counts. A metric that was never reserved is absent. */
export type Counts = Readonly<Partial<Record<LimitMetric, Count>>>;

/** How a write changes one metric. Amounts may be negative. */
export interface CountChange {
  readonly metric: LimitMetric;
  readonly taken: number;
  readonly held: number;
}

/** A change on condition: `taken` must be at most `limit` afterwards, unless the change adds nothing to it. */
export interface LimitedChange extends CountChange {
  readonly limit: number;
}

/** Runs in progress whose leases end at the same moment. A run that has not released its lease by then has died. */
export interface Lease {
  /** In seconds since the Unix epoch. */
  readonly endsAt: number;
  /** 0 when all of them have ended. */
  readonly runs: number;
}

export interface LeaseRequest {
  readonly endsAt: number;
  /** Leases to remove in the same write, with their runs. The write is denied when one of them has changed. */
  readonly ended: readonly Lease[];
}

/** One conditional write: either every change is made or none is. */
export interface ReserveRequest {
  readonly key: string;
  readonly changes: readonly LimitedChange[];
  /**
   * The time of the write by the process's clock, but not before API Gateway received the request; in milliseconds since the Unix epoch.
   * Stored by a write that adds to `requests`, and by no other.
   */
  readonly atMs: number;
  /** The item's TTL, in seconds since the Unix epoch. */
  readonly expiresAt: number;
  /** With a change of `concurrent`, and only then. */
  readonly lease?: LeaseRequest;
}

/** A counter as a read or write found it. */
export interface CounterState {
  readonly counts: Counts;
  /** `atMs` of the latest write that added to `requests`; 0 without one. */
  readonly atMs: number;
  /** The leases of runs in progress, ended ones included; in no order. */
  readonly leases: readonly Lease[];
}

/** `state` is the counter after a successful write, or before a denied one; undefined where the store does not return it. */
export type ReserveOutcome =
  | { readonly reserved: true; readonly state: CounterState }
  | { readonly reserved: false; readonly state: CounterState | undefined };

/** A write without a limit that releases a reservation, or replaces it with what was used. */
export interface Settlement {
  readonly key: string;
  readonly changes: readonly CountChange[];
  /** With a change of `concurrent`: `endsAt` of the run's lease. Nothing is written when the lease was removed: its run counts no longer. */
  readonly lease?: number;
  /** Leases to remove, with their runs. Nothing is written when one of them has changed. */
  readonly ended?: readonly Lease[];
}

/**
 * Counters by key. No method retries: a write that is sent twice counts twice.
 * Every method throws `CounterFailure`.
 */
export interface CounterStore {
  /** Exactly one conditional write, without a read before it. */
  reserve(request: ReserveRequest): Promise<ReserveOutcome>;
  /** Exactly one write without a limit. Does nothing when the item no longer exists: its window has ended. */
  settle(settlement: Settlement): Promise<void>;
  /** Strongly consistent. Counters that do not exist are absent from the map. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, CounterState>>;
}

/** `throttled`: the write was not made. `unknown`: it may have been made, and is treated as if it was. */
export type CounterFailureKind = 'throttled' | 'unknown';

/** The only error that counter stores throw on purpose; anything else is a defect. */
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

/** True for a write that was certainly not made and can be sent again. */
export function isThrottled(thrown: unknown): boolean {
  return thrown instanceof CounterFailure && thrown.kind === 'throttled';
}
