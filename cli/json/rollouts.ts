// Shapes of rollouts and shadows, as `--json` shows them.
import type { RecordedRollout, RecordedShadow } from '../../core/ports/administration.ts';
import type { GuardEvidence } from '../../core/rollouts/guard-state.ts';
import type { ArmUsage, RunUsage } from './usage.ts';

/** `neuron versions rollout status`; `rollout` is null, and the rest absent, while none is going on. */
export interface RolloutValue {
  readonly neuron: string;
  readonly deployed: string | null;
  readonly rollout: RecordedRollout | null;
  readonly arms?: readonly ArmUsage[];
  /** Why the next stage may not begin yet, as clauses; empty where it may. */
  readonly waits?: readonly string[];
  /** With `--evidence`. */
  readonly evidence?: readonly GuardEvidence[];
}

/** `shadow` is null, and the figures are absent, where no version repeats runs. */
export interface ShadowValue {
  readonly neuron: string;
  readonly deployed: string | null;
  readonly shadow: RecordedShadow | null;
}

export interface ShadowFigures {
  readonly isOpen: boolean;
  /** Held by runs that are going on, or that were ended on their way, and spent by others; null after its counter expired. */
  readonly takenMicrodollars: number | null;
  readonly heldMicrodollars: number | null;
  readonly runs: RunUsage;
}
