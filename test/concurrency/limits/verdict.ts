// Evaluates a scenario by the provider's books: what each counter admitted, beside its limit.
import { type Attempt, type Offer, type Outcome, RESERVED, type Scenario } from './scenario.ts';

/** One rule of a scenario as it held. */
export interface RuleVerdict {
  readonly rule: string;
  readonly limit: number;
  /** Counters that were tried: subjects times windows. */
  readonly counters: number;
  /** Through all of them, in the rule's unit. */
  readonly admitted: number;
  /** Beyond the limit, through any of them. */
  readonly overshoot: number;
  /** Left over in counters that were to be filled. */
  readonly undershoot: number;
  /** Why that is; `UNEXPLAINED` fails the proof. */
  readonly cause: string;
}

/** What can leave room in a counter. */
export interface Evidence {
  readonly scenario: Scenario;
  readonly outcomes: readonly Outcome[];
  readonly attempts: readonly Attempt[];
  readonly losses: { readonly takes: number; readonly settlements: number };
}

export const UNEXPLAINED = 'UNEXPLAINED';

interface Rule {
  readonly metric: 'requests' | 'tokens' | 'cost' | 'concurrent';
  readonly scope: 'user' | 'ip' | 'total' | 'key' | 'organization';
  readonly limit: number;
  readonly period?: string;
}

/** A verdict for each rule: rate limits, then those of keys, then those of the organization. */
export function evaluateScenario(evidence: Evidence): readonly RuleVerdict[] {
  const { scenario } = evidence;
  const rules: readonly Rule[] = [
    ...scenario.rateLimits,
    ...(scenario.keyLimits ?? []).map((rule) => ({ ...rule, scope: 'key' as const })),
    ...scenario.usageLimits.map((rule) => ({ ...rule, scope: 'organization' as const })),
  ];
  return rules.map((rule, index) => evaluateRule(rule, scenario.full.includes(index), evidence));
}

function evaluateRule(rule: Rule, mustBeFull: boolean, evidence: Evidence): RuleVerdict {
  if (rule.metric === 'concurrent') return evaluateConcurrency(rule, mustBeFull, evidence);
  const limit = rule.metric === 'cost' ? Math.round(rule.limit * 1_000_000) : rule.limit;
  const booked = bookedBy(rule, evidence);
  const tried = new Set(evidence.outcomes.map(({ offer }) => counterOf(rule, offer, evidence.scenario)));
  // A request that the edge of a window met on its way is in one of two: it counts in the sum of all windows.
  tried.delete(undefined);
  const amounts = [...tried].map((counter) => booked.get(counter) ?? 0);
  const admitted = sum([...booked.values()]);
  const overEach = sum(amounts.map((amount) => Math.max(0, amount - limit)));
  const overAll = booked.has(undefined) ? Math.max(0, admitted - limit * tried.size) : 0;
  const left = booked.has(undefined)
    ? Math.max(0, limit * tried.size - admitted)
    : sum(amounts.map((amount) => Math.max(0, limit - amount)));
  const undershoot = mustBeFull ? left : 0;
  return {
    rule: `${rule.metric} ${rule.scope} ${rule.period}`,
    limit,
    counters: tried.size,
    admitted,
    overshoot: Math.max(overEach, overAll),
    undershoot,
    cause: explain(undershoot, rule, tried.size, evidence, mustBeFull),
  };
}

/** Amounts by counter. A request counts once it has reached the provider, however often it did. */
function bookedBy(rule: Rule, { scenario, outcomes, attempts }: Evidence): Map<string | undefined, number> {
  const offers = new Map(outcomes.map(({ offer }) => [offer.id, offer]));
  const booked = new Map<string | undefined, number>();
  const seen = new Set<string>();
  for (const { id, tokens, microdollars } of attempts) {
    const offer = offers.get(id);
    if (offer === undefined) throw new Error(`the provider was asked for ${id}, which nobody sent`);
    const amount =
      rule.metric === 'tokens' ? tokens : rule.metric === 'cost' ? microdollars : seen.has(id) ? 0 : 1;
    seen.add(id);
    const counter = counterOf(rule, offer, scenario);
    booked.set(counter, (booked.get(counter) ?? 0) + amount);
  }
  return booked;
}

/** Which counter of the rule an offer is on, said by the offer alone; undefined where its window is not certain. */
function counterOf({ scope, period }: Rule, offer: Offer, { windows, edgeMs }: Scenario): string | undefined {
  const subject = {
    user: `neuron ${offer.neuron} user ${offer.user}`,
    key: `key ${offer.user}`,
    ip: `neuron ${offer.neuron} address ${offer.address}`,
    total: `neuron ${offer.neuron}`,
    organization: 'organization',
  }[scope];
  // Only rules of 10 s have more than one window in a scenario, but for the edge that all periods have.
  if (windows === 1 || (period !== '10s' && edgeMs === undefined)) return subject;
  return offer.window === undefined ? undefined : `${subject} window ${offer.window}`;
}

/** The most attempts that the provider answered at the same time, of each subject: a part of each run, so never more than the runs. */
function evaluateConcurrency(rule: Rule, mustBeFull: boolean, evidence: Evidence): RuleVerdict {
  const { scenario, outcomes, attempts } = evidence;
  const offers = new Map(outcomes.map(({ offer }) => [offer.id, offer]));
  const bySubject = Map.groupBy(attempts, ({ id }) => {
    const offer = offers.get(id);
    return offer && counterOf(rule, offer, scenario);
  });
  const most = [...bySubject.values()].map(mostAtOnce);
  const undershoot = mustBeFull ? sum(most.map((many) => Math.max(0, rule.limit - many))) : 0;
  return {
    rule: `${rule.metric} ${rule.scope}`,
    limit: rule.limit,
    counters: bySubject.size,
    admitted: attempts.length,
    overshoot: sum(most.map((many) => Math.max(0, many - rule.limit))),
    undershoot,
    cause: !mustBeFull ? 'a narrower rule' : undershoot === 0 ? '' : UNEXPLAINED,
  };
}

/** How many intervals share a moment, at most. One that ends when another begins shares none with it. */
export function mostAtOnce(attempts: readonly Pick<Attempt, 'beganMs' | 'endedMs'>[]): number {
  const edges = attempts
    .flatMap(({ beganMs, endedMs = Number.POSITIVE_INFINITY }) => [
      { atMs: beganMs, change: 1 },
      { atMs: endedMs, change: -1 },
    ])
    .sort((one, other) => one.atMs - other.atMs || one.change - other.change);
  let open = 0;
  return edges.reduce((most, { change }) => {
    open += change;
    return Math.max(most, open);
  }, 0);
}

function explain(
  undershoot: number,
  { metric }: Rule,
  counters: number,
  { outcomes, attempts, losses }: Evidence,
  mustBeFull: boolean,
): string {
  if (!mustBeFull) return 'a narrower rule';
  if (undershoot === 0) return '';
  const unit = metric === 'requests' ? 1 : metric === 'tokens' ? RESERVED.tokens : RESERVED.microdollars;
  const seen = new Set(attempts.map(({ id }) => id));
  const unseen = outcomes.filter(({ offer, code }) => !seen.has(offer.id) && TAKEN_WITHOUT_ATTEMPT.has(code));
  const causes = [
    { many: losses.takes, what: 'answers of counter writes lost' },
    { many: metric === 'requests' ? 0 : losses.settlements, what: 'settlements lost' },
    {
      many: unseen.length - Math.min(unseen.length, losses.takes),
      what: 'admitted, failed before the provider',
    },
  ].filter(({ many }) => many > 0);
  const rest = metric === 'requests' ? 0 : counters * (unit - 1);
  const explained = sum(causes.map(({ many }) => many)) * unit + rest;
  if (undershoot > explained) return UNEXPLAINED;
  const texts = causes.map(({ many, what }) => `${many} ${what}`);
  return (undershoot <= rest ? [...texts, 'less than one reservation left'] : texts).join(', ');
}

/** Ends of requests that may be on a counter although no provider was asked. */
const TAKEN_WITHOUT_ATTEMPT: ReadonlySet<string> = new Set([
  'dependency_unavailable',
  'upstream_unavailable',
  'deadline_exceeded',
  'internal',
]);

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
