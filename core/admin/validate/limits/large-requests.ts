// Warns of limits that many callers share and of which a single request could take more than a tenth.

import { TOKENS_PER_MESSAGE } from '../../../flow/usage-totals.ts';
import type { TokenUsage } from '../../../ports/providers.ts';
import type { Neuron } from '../../../settings/neuron-schema.ts';
import type { Path } from '../../../settings/path.ts';
import { type PartDiagnostic, warningAt } from '../../diagnostic.ts';
import { findPaths } from '../../find-paths.ts';
import { largestRequest, type RequestBounds } from './largest-request.ts';
import type { CostOf } from './model-calls.ts';
import { type LimitRule, renderAmount, renderRule } from './rule.ts';

/** A neuron with the limits that hold for it, its own and its organization's. */
interface Limited {
  readonly neuron: Neuron;
  readonly rules: readonly LimitRule[];
  /** Undefined where the organization is not known: then costs are not validated. */
  readonly costOf: CostOf | undefined;
}

/** A rule over tokens or cost, and what a single request may be booked under it. */
interface Measured {
  readonly rule: LimitRule;
  /** By how the neuron would be set. */
  readonly measure: (settings: Pick<RequestBounds, 'maxInputBytes' | 'retries'>) => number;
}

/** What to set, and where it stands. */
interface Remedy {
  readonly path: Path;
  readonly text: string;
}

/** One request may take a tenth of what all share. */
const PARTS = 10;

/** A neuron that takes less would be of no use. */
const MIN_INPUT_BYTES = 1024;

/** A warning for each shared limit, at the setting to change. */
export function warnOfLargeRequests({ neuron, rules, costOf }: Limited): PartDiagnostic[] {
  return rules.filter(isShared).flatMap((rule) => {
    const measured = { rule, measure: measureBy(rule, neuron, costOf) };
    const narrower = rules.filter(({ metric }) => metric === rule.metric).map(({ limit }) => limit);
    const most = Math.min(measured.measure(asWritten(neuron)), ...narrower);
    if (most <= rule.limit / PARTS) return [];
    const { path, text } = findRemedy(neuron, measured);
    const message = `lets a single request take up to ${renderAmount(rule.metric, most)} of ${renderRule(rule)}, more than a tenth of what all callers share: an attempt that times out is booked at all that it reserved. ${text}`;
    return [warningAt(path, message)];
  });
}

/** Rules over requests are left out: a request is one, whatever is in it. */
function isShared({ metric, scope }: LimitRule): boolean {
  return (metric === 'tokens' || metric === 'cost') && (scope === 'total' || scope === 'organization');
}

function asWritten({ maxInputBytes }: Neuron): Pick<RequestBounds, 'maxInputBytes' | 'retries'> {
  return { maxInputBytes, retries: undefined };
}

function measureBy({ metric }: LimitRule, neuron: Neuron, costOf: CostOf | undefined): Measured['measure'] {
  const amountOf = (provider: string, model: string, usage: TokenUsage): number =>
    metric === 'tokens' ? usage.input + usage.output : (costOf?.(provider, model, usage) ?? 0);
  const embedding = neuron.caching.semantic?.embedding;
  return (settings) => {
    const usage = { input: settings.maxInputBytes + TOKENS_PER_MESSAGE, output: 0 };
    const embedded = embedding === undefined ? 0 : amountOf(embedding.provider, embedding.model, usage);
    return embedded + largestRequest(neuron.flow ?? [], { ...settings, amountOf });
  };
}

/** The smallest change that is enough: without retries, with less input, with both; and otherwise shorter answers. */
function findRemedy(neuron: Neuron, { rule, measure }: Measured): Remedy {
  const { maxInputBytes } = neuron;
  const isEnough = (settings: Pick<RequestBounds, 'maxInputBytes' | 'retries'>): boolean =>
    measure(settings) <= rule.limit / PARTS;
  const retried = findPaths(neuron.flow ?? [], ['**', 'callModel', 'retries']).find(
    ({ value }) => value !== 0,
  );
  const retries = retried && { path: ['flow', ...retried.path], text: `retries (${retried.value}) to 0` };
  if (retries !== undefined && isEnough({ maxInputBytes, retries: 0 }))
    return { path: retries.path, text: `Set ${retries.text}.` };
  for (const count of [undefined, 0] as const) {
    const bytes = largestInput(maxInputBytes, (most) => isEnough({ maxInputBytes: most, retries: count }));
    if (bytes < MIN_INPUT_BYTES) continue;
    const also = count === undefined || retries === undefined ? '' : `, and ${retries.text}`;
    const text = `Set maxInputBytes (${maxInputBytes}) to at most ${bytes}${also}.`;
    return { path: ['maxInputBytes'], text };
  }
  return shortenAnswers(neuron);
}

/** The largest number up to `most` for which `isEnough` holds; it holds for all below such a number. 0: for none. */
function largestInput(most: number, isEnough: (bytes: number) => boolean): number {
  let [enough, tooMany] = [0, most + 1];
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2);
    if (isEnough(middle)) enough = middle;
    else tooMany = middle;
  }
  return enough;
}

function shortenAnswers({ flow, maxInputBytes }: Neuron): Remedy {
  const calls = findPaths(flow ?? [], ['**', 'callModel', 'maxTokens']);
  const [longest] = calls.toSorted((one, other) => Number(other.value) - Number(one.value));
  // Without a call it is the embedding of the input alone.
  if (longest === undefined)
    return { path: ['maxInputBytes'], text: `Lower maxInputBytes (${maxInputBytes}), or raise the limit.` };
  return {
    path: ['flow', ...longest.path],
    text: `Lower maxTokens (${longest.value}), set retries to 0 and maxInputBytes low, or raise the limit.`,
  };
}
