// The shape that `neuron status` prints with --json.
import type { ListedAlert, ListedLimit } from './limits.ts';

export interface NeuronState {
  readonly neuron: string;
  /** Null where no version is deployed. */
  readonly deployed: string | null;
  /** `v3 gets 5%, stage 1 of 3`; null without a rollout. */
  readonly rollout: string | null;
  /** Why every call is refused; null where the neuron is open. */
  readonly closed: string | null;
}

/** Requests of the last hour with one outcome and code. */
export interface CodeCount {
  readonly code: string;
  readonly outcome: string;
  readonly requests: number;
  /** Neurons of these requests. */
  readonly neurons: readonly string[];
}

/** A guard that blocked requests in the last hour, or whose service did not judge them. */
export interface GuardState {
  readonly guard: string;
  readonly blocked: number;
  readonly notJudged: number;
}

export interface RecentChange {
  readonly id: string;
  readonly time: string;
  readonly by: string;
  readonly actions: readonly string[];
  /** Null for a change of the organization or the service. */
  readonly neuron: string | null;
  readonly outcome: string;
}

export interface StatusReport {
  readonly organization: string;
  readonly neuron: string | null;
  /** Maintenance mode or a pause of the organization; null where neither is on. */
  readonly closed: string | null;
  readonly neurons: readonly NeuronState[];
  /** Requests of today, UTC; those of the last seconds are not counted yet. */
  readonly today: {
    readonly requests: number;
    readonly failed: number;
    readonly refused: number;
    readonly costMicrodollars: number;
  };
  /** In the last hour; `complete` is false where there were more entries than were read. */
  readonly failures: { readonly codes: readonly CodeCount[]; readonly complete: boolean };
  readonly guards: { readonly found: readonly GuardState[]; readonly complete: boolean };
  /** Alerts of windows that have not ended. */
  readonly alerts: readonly ListedAlert[];
  /** Limits of which at least 80 percent are used. */
  readonly limits: readonly ListedLimit[];
  readonly changes: readonly RecentChange[];
}
