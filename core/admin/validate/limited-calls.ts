// Judges rules beside the model calls of a flow: amounts that no call fits in, and costs that nobody knows.

import type { TokenUsage } from '../../ports/providers.ts';
import { type LimitDiagnostic, renderAmount, renderRule, type ValidatedRule } from './limit-finding.ts';
import type { ListedCall } from './list-model-calls.ts';

/** What a use of a model costs in microdollars; undefined without a price. */
export type CostOf = (provider: string, model: string, usage: TokenUsage) => number | undefined;

/** A model that an embedding asks, with its path from the root of the document. */
export interface EmbeddingTarget {
  readonly path: LimitDiagnostic['path'];
  readonly provider: string;
  readonly model: string;
}

/** What is judged. */
export interface ValidatedCalls {
  /** Their paths begin at the flow. */
  readonly calls: readonly ListedCall[];
  readonly embedding: EmbeddingTarget | undefined;
  /** Undefined where the organization is not known: then costs are not judged. */
  readonly costOf: CostOf | undefined;
  readonly organization: string;
}

/** Every reason why a call could never run under these rules, at the call. */
export function validateCalls(rules: readonly ValidatedRule[], judged: ValidatedCalls): LimitDiagnostic[] {
  return [...refuseUnpriced(rules, judged), ...refuseTooLarge(rules, judged)];
}

function refuseUnpriced(rules: readonly ValidatedRule[], judged: ValidatedCalls): LimitDiagnostic[] {
  const { costOf, organization } = judged;
  const rule = rules.find(({ metric }) => metric === 'cost');
  if (rule === undefined || costOf === undefined) return [];
  return allTargets(judged)
    .filter(({ provider, model }) => costOf(provider, model, NO_TOKENS) === undefined)
    .map(({ path, provider, model }) => ({
      path,
      message: `asks ${provider}/${model}, which has no price, but ${renderRule(rule)} limits cost and so could never let it run. Add what 1,000,000 tokens cost in dollars to the organization ${organization}: \`prices: { "${provider}/${model}": { input: 0.00, output: 0.00 } }\`.`,
    }));
}

const NO_TOKENS: TokenUsage = { input: 0, output: 0 };

function allTargets({ calls, embedding }: ValidatedCalls): readonly EmbeddingTarget[] {
  return [
    ...calls.flatMap(({ targets }) => targets.map((one) => ({ ...one, path: ['flow', ...one.path] }))),
    ...(embedding === undefined ? [] : [embedding]),
  ];
}

function refuseTooLarge(
  rules: readonly ValidatedRule[],
  { calls, costOf }: ValidatedCalls,
): LimitDiagnostic[] {
  return calls.flatMap((call) =>
    call.targets.flatMap((target) => {
      const rule = rules.find((one) => reservation(one, call, target, costOf) > one.limit);
      if (rule === undefined) return [];
      const needed = reservation(rule, call, target, costOf);
      return [{ path: ['flow', ...target.path], message: explain(rule, needed, call) }];
    }),
  );
}

function reservation(
  { metric }: ValidatedRule,
  { least }: ListedCall,
  { provider, model }: ListedCall['targets'][number],
  costOf: CostOf | undefined,
): number {
  if (metric === 'requests') return 1;
  return metric === 'tokens' ? least.input + least.output : (costOf?.(provider, model, least) ?? 0);
}

function explain(rule: ValidatedRule, needed: number, { least }: ListedCall): string {
  const amount = renderAmount(rule.metric, needed);
  const why = `${least.input} tokens for its messages and ${least.output} for its answer (maxTokens)`;
  return `reserves at least ${amount} before it is sent: ${why}. That is more than ${renderRule(rule)} ever allows, so it could never run. Raise the limit to at least ${amount}, or lower maxTokens.`;
}
