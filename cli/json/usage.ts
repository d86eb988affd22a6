// What `neuron usage` prints with --json. Types alone: the page of `neuron console` reads the same.
import type { KeyLimits } from '../../core/ports/keys.ts';

/** Days in UTC, both inclusive. */
export interface Days {
  readonly fromDay: string;
  readonly toDay: string;
}

/** Model calls with their tokens and costs, in microdollars; `unknownCosts` counts calls without a known cost. */
export interface CallUsage {
  readonly modelCalls: number;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  readonly costMicrodollars: number;
  readonly unknownCosts: number;
}

/** Requests by outcome and what they used. */
export interface RequestUsage extends CallUsage {
  readonly requests: number;
  readonly success: number;
  readonly stopped: number;
  readonly failed: number;
  readonly refused: number;
  readonly savingsMicrodollars: number;
}

/** Neurons, users and keys with most requests and models with most calls come first. */
export interface UsageReport extends Days {
  readonly organization: string;
  readonly totals: RequestUsage;
  readonly neurons: readonly (RequestUsage & { readonly neuron: string; readonly neuronId: string })[];
  readonly models: readonly (CallUsage & { readonly model: string })[];
  readonly users: readonly (RequestUsage & { readonly username: string })[];
  readonly keys: readonly (RequestUsage & { readonly keyId: string })[];
  readonly days: readonly (RequestUsage & { readonly day: string })[];
}

/** The current month at its end, by the average of its days so far; cost in microdollars. */
export interface Forecast {
  /** The days that it is from, such as 20.5. */
  readonly fromDays: number;
  readonly toDay: string;
  readonly requests: number;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  readonly costMicrodollars: number;
}

/** A usage limit of the period that is shown, beside what the log says. Amounts in requests, tokens or microdollars. */
export interface LimitForecast {
  readonly metric: KeyLimits[number]['metric'];
  readonly limit: number;
  readonly period: KeyLimits[number]['period'];
  readonly used: number;
  /** Null of a day, before a day of the month is over, and of a month that is past. */
  readonly forecast: number | null;
}

/** The report with what the month will come to. */
export interface FullReport extends UsageReport {
  /** Null for anything but the current month, and on its first day. */
  readonly forecast: Forecast | null;
  /** The organization's limits of a month or a day, whichever is shown. */
  readonly limits: readonly LimitForecast[];
}

/** A key of `neuron usage --by key`; name null and no limits where the organization has it no more. */
export type KeyUsage = UsageReport['keys'][number] & {
  readonly name: string | null;
  /** Of a month or a day, whichever is shown. */
  readonly limits: readonly LimitForecast[];
};
