// Shapes that commands print with --json, with the names that pages use.
import type { ExplainedDecision } from '../../cli/json/checks.ts';
import type { ShadowFigures, ShadowValue } from '../../cli/json/rollouts.ts';
import type { LogOutcome } from '../../core/contract/log-entry.ts';

export type {
  CheckResult as CheckValue,
  ExplainedDecision as DecisionValue,
  MaintenanceState as MaintenanceValue,
} from '../../cli/json/checks.ts';
export type { ListedGuardReport as GuardReportValue } from '../../cli/json/guards.ts';
export type { ListedKey as KeyValue } from '../../cli/json/keys.ts';
export type { ListedAlert as AlertValue, ListedLimit as LimitValue } from '../../cli/json/limits.ts';
export type {
  ChangeLine as ChangeValue,
  EntryLine as EntryValue,
  FullEntryLine as FullEntryValue,
} from '../../cli/json/log.ts';
export type { RolloutValue } from '../../cli/json/rollouts.ts';
export type {
  ListedNeuron as NeuronValue,
  ListedOrganization as OrganizationValue,
  ListedVersion as VersionValue,
  VersionRun as VersionRunValue,
} from '../../cli/json/settings.ts';
export type { StatusReport as StatusValue } from '../../cli/json/status.ts';
export type { ReportedCase as TestedCaseValue, TestReport as TestReportValue } from '../../cli/json/tests.ts';
export type {
  ArmUsage as ArmValue,
  CallUsage as ModelUsageValue,
  ComparedFigure as ComparedFigureValue,
  FeedbackUsage as FeedbackValue,
  FullReport as UsageReportValue,
  KeyUsage as KeyUsageValue,
  OrganizationUsage as OrganizationUsageValue,
  RequestUsage as UsageValue,
  ServiceUsage as ServiceUsageValue,
  VersionComparison as ComparisonValue,
} from '../../cli/json/usage.ts';
export type { PersonReport as PersonValue } from '../../cli/json/users.ts';

export const OUTCOMES = ['success', 'stopped', 'failed', 'refused'] as const satisfies readonly LogOutcome[];

/** `neuron versions shadow status`; without figures where there is none. */
export type ShadowStatusValue = ShadowValue & Partial<ShadowFigures>;

/** `neuron explain`. */
export interface ExplanationValue {
  readonly closed: {
    readonly code: string;
    readonly status: number;
    readonly since: string;
    readonly by: string;
  } | null;
  /** Present for an applied neuron with a rollout; `arm` is null where each call or address has a side of its own. */
  readonly rollout?: { readonly id: string; readonly arm: 'control' | 'candidate' | null };
  readonly decisions: readonly ExplainedDecision[];
}
