// Shapes that `neuron explain`, `neuron doctor` and `neuron maintenance status` print with --json. The page of `neuron console` reads the same.
import type { RecordedMaintenance } from '../../core/ports/administration.ts';

export interface MaintenanceState {
  /** Null while it is off. */
  readonly maintenance: RecordedMaintenance | null;
}

export interface ExplainedDecision {
  readonly credential: 'none' | 'a valid API key' | 'a valid JWT' | 'the given token';
  readonly outcome: string;
  /** Null where the caller is let in. */
  readonly status: number | null;
  readonly code: string | null;
  /** How the caller was authenticated; null where it is not let in. */
  readonly authentication: string | null;
  readonly steps: readonly {
    readonly check: string;
    readonly verdict: string;
    readonly reason: string;
    readonly details?: readonly string[];
  }[];
}

export interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Also set for a note, which is ok. */
  readonly remedy: string | null;
  /** Command lines that end the finding, or show what does; empty where there is no remedy. */
  readonly commands: readonly string[];
}
