// Validates limits against the model calls of a flow: amounts that no call fits in, and that one fills fast; models without a price.

import { userMessage } from '../../../conversation/conversation.ts';
import { maxOutputOf } from '../../../flow/request/output-limits.ts';
import { renderTemplate, type TemplateValues } from '../../../flow/template.ts';
import { estimateTokens } from '../../../flow/usage-totals.ts';
import type { TokenUsage } from '../../../ports/providers.ts';
import { allTargets, primaryTargets } from '../../../settings/call-targets.ts';
import { type CallModel, type Flow, takesMaxTokens } from '../../../settings/flow-schema.ts';
import type { Path } from '../../../settings/path.ts';
import { sum } from '../../../text/numbers.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../../diagnostic.ts';
import { findPaths } from '../../find-paths.ts';
import { type LimitRule, renderAmount, renderRule } from './rule.ts';

/** The cost of a use of a model in microdollars; undefined without a price. */
export type CostOf = (provider: string, model: string, usage: TokenUsage) => number | undefined;

/** A model that a call or an embedding may use; the path is that of what names it, from the root of the document. */
interface ModelTarget {
  readonly path: Path;
  readonly provider: string;
  readonly model: string;
}

/** The calls that limits must leave room for. */
export interface ModelUse {
  readonly maxInputBytes: number;
  /** Undefined where the document has none. */
  readonly flow: Flow | undefined;
  readonly embedding: ModelTarget | undefined;
  /** Undefined where the organization is not known: then costs are not validated. */
  readonly costOf: CostOf | undefined;
  /** Slug. */
  readonly organization: string;
}

/** One `callModel` step: its own models first, then its fallbacks. */
interface ModelCall {
  readonly targets: readonly ModelTarget[];
  /** How many of `targets` are the step's own: all but one of them are asked once, in any order. */
  readonly own: number;
  /** Attempts after the first one, of the last own model and of each fallback. */
  readonly retries: number;
  /** The reservation of an attempt when every placeholder is empty and there are no instructions: no attempt reserves less. */
  readonly least: TokenUsage;
  /** The most that an attempt reserves for the longest input and answer that the step lets through. */
  most(target: ModelTarget, maxInputBytes: number): TokenUsage;
}

/** An error for each call that could never run under these limits, and a warning for one that could fill a shared limit; at the call. */
export function validateModelCalls(
  rules: readonly LimitRule[],
  { maxInputBytes, flow, embedding, costOf, organization }: ModelUse,
): PartDiagnostic[] {
  const calls = listModelCalls(flow);
  const targets = [...calls.flatMap((call) => call.targets), ...(embedding === undefined ? [] : [embedding])];
  return [
    ...(costOf === undefined ? [] : validatePrices(rules, targets, costOf, organization)),
    ...validateReservations(rules, calls, costOf),
    ...warnOfLargeCalls(rules, calls, maxInputBytes, costOf),
  ];
}

const EMPTY: TemplateValues = { input: '', output: '', username: '', 'execution.id': '', now: '' };

/** Every model call, those in branches included. */
function listModelCalls(flow: Flow | undefined): readonly ModelCall[] {
  return findPaths(flow, ['**', 'callModel']).map(({ path: inFlow, value }) => {
    const call = value as CallModel;
    const { retries, prompt, maxTokens } = call;
    const path = ['flow', ...inFlow];
    const least = estimateTokens({
      system: [],
      messages: [userMessage(renderTemplate(prompt ?? '', EMPTY))],
      maxTokens,
    });
    return {
      targets: allTargets(call).map(({ at, ...one }) => ({ path: [...path, ...at], ...one })),
      own: primaryTargets(call).length,
      retries,
      least,
      most: ({ model }, maxInputBytes) => {
        const input = least.input + maxInputBytes;
        return { input, output: maxOutput(call, model), ...writtenToCache(call, input) };
      },
    };
  });
}

/** A caller whose parameters are taken may ask for all that the model can write, unless the step has a limit of its own. */
function maxOutput(call: CallModel, model: string): number {
  return call.limitsTokens || !takesMaxTokens(call) ? call.maxTokens : maxOutputOf(model);
}

/** All of the input may be written to a prompt cache: for an hour where callers mark it. */
function writtenToCache({ accepts, promptCache }: CallModel, input: number): Partial<TokenUsage> {
  if (accepts.includes('cacheControl') || accepts.includes('passThrough')) return { cacheWrite1h: input };
  return promptCache === 'auto' ? { cacheWrite: input } : {};
}

const NO_TOKENS: TokenUsage = { input: 0, output: 0 };

function validatePrices(
  rules: readonly LimitRule[],
  targets: readonly ModelTarget[],
  costOf: CostOf,
  organization: string,
): PartDiagnostic[] {
  const rule = rules.find(({ metric }) => metric === 'cost');
  if (rule === undefined) return [];
  return targets
    .filter(({ provider, model }) => costOf(provider, model, NO_TOKENS) === undefined)
    .map(({ path, provider, model }) =>
      errorAt(
        path,
        `asks ${provider}/${model}, which has no price, but ${renderRule(rule)} limits cost and so could never let it run. Add what 1,000,000 tokens cost in dollars to the organization ${organization}: \`prices: { "${provider}/${model}": { input: 0.00, output: 0.00 } }\`.`,
      ),
    );
}

function validateReservations(
  rules: readonly LimitRule[],
  calls: readonly ModelCall[],
  costOf: CostOf | undefined,
): PartDiagnostic[] {
  return calls.flatMap(({ targets, least }) =>
    targets.flatMap((target) => {
      const rule = rules.find((one) => reservation(one, least, target, costOf) > one.limit);
      if (rule === undefined) return [];
      return [errorAt(target.path, describeTooLarge(rule, reservation(rule, least, target, costOf), least))];
    }),
  );
}

function reservation(
  { metric }: LimitRule,
  least: TokenUsage,
  { provider, model }: ModelTarget,
  costOf: CostOf | undefined,
): number {
  if (metric === 'requests' || metric === 'concurrent') return 1;
  return metric === 'tokens' ? least.input + least.output : (costOf?.(provider, model, least) ?? 0);
}

function describeTooLarge(rule: LimitRule, needed: number, least: TokenUsage): string {
  const amount = renderAmount(rule.metric, needed);
  const why = `${least.input} tokens for its messages and ${least.output} for its answer (maxTokens)`;
  return `reserves at least ${amount} before it is sent: ${why}. That is more than ${renderRule(rule)} ever allows, so it could never run. Raise the limit to at least ${amount}, or lower maxTokens.`;
}

/** The part of a shared limit that one request may take. */
const FAIR_SHARE = 1 / 10;

/** One warning for each limit over tokens or cost that all callers share, at the call that takes most of it. */
function warnOfLargeCalls(
  rules: readonly LimitRule[],
  calls: readonly ModelCall[],
  maxInputBytes: number,
  costOf: CostOf | undefined,
): PartDiagnostic[] {
  const shared = rules.filter(({ scope }) => scope === 'total' || scope === 'organization');
  return shared.flatMap((rule) => {
    if (rule.metric !== 'tokens' && rule.metric !== 'cost') return [];
    const bounds = rules.filter(({ metric }) => metric === rule.metric).map(({ limit }) => limit);
    const amounts = calls.map((call) => Math.min(maxAmount(rule, call, maxInputBytes, costOf), ...bounds));
    const most = Math.max(...amounts);
    const path = calls[amounts.indexOf(most)]?.targets[0]?.path;
    if (path === undefined || most <= rule.limit * FAIR_SHARE) return [];
    return [warningAt(path, describeLarge(rule, most))];
  });
}

/** Every attempt at every target reserves the longest input and answer; the dearest of the own models may be the one that is retried. */
function maxAmount(
  rule: LimitRule,
  { targets, own, retries, most }: ModelCall,
  maxInputBytes: number,
  costOf: CostOf | undefined,
): number {
  const amounts = targets.map((target) => reservation(rule, most(target, maxInputBytes), target, costOf));
  const retried = Math.max(...amounts.slice(0, own)) + sum(amounts.slice(own));
  return sum(amounts) + retries * retried;
}

function describeLarge(rule: LimitRule, amount: number): string {
  return `may take up to ${renderAmount(rule.metric, amount)} of ${renderRule(rule)} for one request, more than a tenth of what all callers share: an attempt that times out is charged its whole reservation. Lower maxInputBytes, maxTokens or retries, or raise the limit.`;
}
