// What commands print with --json, as far as the pages read it.
import type { LogEntry, LogOutcome } from '../../core/contract/log-entry.ts';
import type { ListedEntry } from '../../core/ports/log-reader.ts';

/** `neuron list`. */
export interface OrganizationValue {
  readonly organization: string;
  readonly name: string;
  readonly paused: boolean;
}

/** `neuron list ORG`. */
export interface NeuronValue {
  /** `ORG/NEURON`. */
  readonly neuron: string;
  readonly name: string;
  readonly deployed: string | null;
  readonly newest: string | null;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** `neuron versions list`. */
export interface VersionValue {
  readonly version: string;
  readonly deployed: boolean;
  readonly previewKey: boolean;
  readonly createdAt: string;
  readonly author: string;
  readonly message: string | null;
}

/** `neuron logs`. */
export interface EntryValue
  extends Omit<ListedEntry, 'username' | 'keyId' | 'version' | 'code' | 'reason' | 'cache'> {
  readonly version: string | null;
  readonly code: string | null;
  readonly reason: string | null;
  readonly username: string | null;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly cache: string | null;
}

/** `neuron logs --id`. */
export interface FullEntryValue
  extends Omit<LogEntry, 'username' | 'keyId' | 'version' | 'code' | 'reason' | 'cache'>,
    Pick<EntryValue, 'username' | 'keyId' | 'version' | 'code' | 'reason' | 'cache' | 'keyName'> {}

/** The outcomes that a filter offers. */
export const OUTCOMES = ['success', 'stopped', 'failed', 'refused'] as const satisfies readonly LogOutcome[];

/** Requests, calls and what they used: a part of `neuron usage`. */
export interface UsageValue {
  readonly requests: number;
  readonly success: number;
  readonly stopped: number;
  readonly failed: number;
  readonly refused: number;
  readonly modelCalls: number;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  readonly costMicrodollars: number;
  readonly unknownCosts: number;
  readonly savingsMicrodollars: number;
}

/** Model calls and what they used. */
export type ModelUsageValue = Pick<
  UsageValue,
  'modelCalls' | 'tokensInput' | 'tokensOutput' | 'costMicrodollars' | 'unknownCosts'
> & { readonly model: string };

/** `neuron usage`. */
export interface UsageReportValue {
  readonly fromDay: string;
  readonly toDay: string;
  readonly totals: UsageValue;
  readonly neurons: readonly (UsageValue & { readonly neuron: string })[];
  readonly models: readonly ModelUsageValue[];
  readonly users: readonly (UsageValue & { readonly username: string })[];
  readonly days: readonly (UsageValue & { readonly day: string })[];
}

/** `neuron limits`. */
export interface LimitValue {
  readonly organization: string;
  readonly neuron: string | null;
  /** Of a limit of an API key. */
  readonly keyId: string | null;
  readonly metric: string;
  readonly scope: string;
  /** Null for runs at once. */
  readonly period: string | null;
  readonly used: number | null;
  readonly held: number | null;
  readonly limit: number;
  readonly remaining: number | null;
  readonly resetsAt: string | null;
}

/** `neuron keys list`. */
export interface KeyValue {
  readonly keyId: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly name: string;
  readonly neurons: readonly string[] | null;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  /** Cost in microdollars. */
  readonly limits: readonly { readonly metric: string; readonly limit: number; readonly period: string }[];
}

/** `neuron logs --changes`. */
export interface ChangeValue {
  readonly id: string;
  readonly time: string;
  readonly timeMs: number;
  readonly by: string;
  readonly actions: readonly string[];
  readonly organization: string | null;
  readonly neuron: string | null;
  readonly neuronId: string | null;
  readonly outcome: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly cut?: boolean;
}

/** `neuron doctor`. */
export interface CheckValue {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy: string | null;
}

/** One decision of `neuron explain`. */
export interface DecisionValue {
  readonly credential: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly authentication: string | null;
  readonly steps: readonly {
    readonly check: string;
    readonly verdict: string;
    readonly reason: string;
    readonly details?: readonly string[];
  }[];
}

/** `neuron explain`. */
export interface ExplanationValue {
  readonly closed: {
    readonly code: string;
    readonly status: number;
    readonly since: string;
    readonly by: string;
  } | null;
  readonly decisions: readonly DecisionValue[];
}
