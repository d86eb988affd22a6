// Adds up what the attempts of one model call used and cost.
import type { ModelResult, TokenUsage } from '../ports/providers.ts';
import { countAnswered, countFailed, type SizedRequest } from './usage.ts';

/** The price of some usage in integer microdollars, rounded up; null where the model has no price. */
export type CostOf = (usage: TokenUsage) => number | null;

/** What the attempts so far came to. */
export interface Totals {
  readonly tokensInput: number;
  readonly tokensOutput: number;
  /** Null as soon as one attempt used tokens of a model without a price. */
  readonly costMicrodollars: number | null;
  /** True when the usage of an attempt had to be estimated. */
  readonly estimated: boolean;
  readonly attempts: number;
}

/** What one attempt came to. */
export interface Spent {
  readonly tokens: number;
  readonly costMicrodollars: number | null;
}

/** The account of one model call. */
export interface UsageTotals {
  answered(result: ModelResult): Spent;
  failed(thrown: unknown): Spent;
  totals(): Totals;
}

/** Opens an account; every attempt is told to it once, when it has ended. */
export function createUsageTotals(request: SizedRequest, costOf: CostOf): UsageTotals {
  let totals: Totals = {
    tokensInput: 0,
    tokensOutput: 0,
    costMicrodollars: 0,
    estimated: false,
    attempts: 0,
  };
  function add(usage: TokenUsage, estimated: boolean): Spent {
    const cost = usage.input + usage.output === 0 ? 0 : costOf(usage);
    const before = totals.costMicrodollars;
    totals = {
      tokensInput: totals.tokensInput + usage.input,
      tokensOutput: totals.tokensOutput + usage.output,
      costMicrodollars: before === null || cost === null ? null : before + cost,
      estimated: totals.estimated || estimated,
      attempts: totals.attempts + 1,
    };
    return { tokens: usage.input + usage.output, costMicrodollars: cost };
  }
  return {
    answered: ({ usage }) => {
      const counted = countAnswered(request, usage);
      return add(usage ?? counted, counted.estimated);
    },
    failed: (thrown) => {
      const counted = countFailed(request, thrown);
      return add(counted, counted.estimated);
    },
    totals: () => totals,
  };
}
