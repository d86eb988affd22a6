// What the proof prints and writes down.
import Table from 'cli-table3';
import type { Outcome, Scenario } from './scenario.ts';
import { type RuleVerdict, UNEXPLAINED } from './verdict.ts';

/** A scenario after it ran. */
export interface ScenarioReport {
  /** `core/limits and DynamoDB`, `whole stack`. */
  readonly where: string;
  readonly name: string;
  readonly offered: number;
  /** By code, `ok` included. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly rules: readonly RuleVerdict[];
  /** Writes to counters. */
  readonly writes: number;
  /** Process ids that wrote counters. */
  readonly writers: readonly number[];
}

/** Fewer prove nothing about concurrency. */
export const MIN_PROCESSES = 8;

/** Puts a report together. */
export function toReport(
  where: string,
  { name }: Scenario,
  input: {
    outcomes: readonly Outcome[];
    rules: readonly RuleVerdict[];
    writes: number;
    writers: Iterable<number>;
  },
): ScenarioReport {
  const { outcomes, rules, writes, writers } = input;
  const byCode = Map.groupBy(outcomes, ({ code }) => code);
  return {
    where,
    name,
    offered: outcomes.length,
    outcomes: Object.fromEntries([...byCode].map(([code, all]) => [code, all.length])),
    rules,
    writes,
    writers: [...writers],
  };
}

/** One line a rule. `admitted` is in the rule's unit and by the provider's books; `refused` are 429s. */
export function renderReports(reports: readonly ScenarioReport[]): string {
  const table = new Table({
    head: [
      'scenario',
      'rule',
      'limit',
      'counters',
      'offered',
      'refused',
      'admitted',
      'over',
      'under',
      'cause',
      'processes',
    ],
    style: { head: [], border: [], compact: true },
    colAligns: [
      'left',
      'left',
      'right',
      'right',
      'right',
      'right',
      'right',
      'right',
      'right',
      'left',
      'right',
    ],
  });
  for (const { name, offered, outcomes, rules, writers } of reports) {
    const codes = ['rate_limited', 'usage_limit_exceeded', 'too_many_at_once'];
    const rejected = codes.reduce((sum, code) => sum + (outcomes[code] ?? 0), 0);
    for (const [index, one] of rules.entries()) {
      const head = index === 0 ? [name, offered, rejected, writers.length] : ['', '', '', ''];
      const amounts = [one.admitted, one.overshoot, one.undershoot];
      table.push([
        head[0],
        one.rule,
        one.limit,
        one.counters,
        head[1],
        head[2],
        ...amounts,
        one.cause,
        head[3],
      ]);
    }
  }
  return table.toString();
}

/** Everything that the proof fails for, one sentence each. */
export function findFaults(reports: readonly ScenarioReport[]): readonly string[] {
  return reports.flatMap(({ where, name, rules, writers }) => [
    ...rules
      .filter(({ overshoot }) => overshoot > 0)
      .map(
        ({ rule, overshoot }) => `${where}, ${name}: ${rule} let ${overshoot} more through than its limit`,
      ),
    ...rules
      .filter(({ cause }) => cause === UNEXPLAINED)
      .map(
        ({ rule, undershoot }) =>
          `${where}, ${name}: ${rule} left ${undershoot} over and nothing explains it`,
      ),
    ...(writers.length < MIN_PROCESSES
      ? [
          `${where}, ${name}: only ${writers.length} processes wrote counters; ${MIN_PROCESSES} prove something`,
        ]
      : []),
  ]);
}

/** What docs/proof/limits.json says. */
export function toProof(reports: readonly ScenarioReport[]): object {
  return {
    offered: total(reports, ({ offered }) => offered),
    writes: total(reports, ({ writes }) => writes),
    overshoot: total(reports, ({ rules }) => rules.reduce((sum, { overshoot }) => sum + overshoot, 0)),
    processes: {
      least: Math.min(...reports.map(({ writers }) => writers.length)),
      all: new Set(reports.flatMap(({ writers }) => writers)).size,
    },
    scenarios: reports.map(({ writers, ...report }) => ({ ...report, processes: writers.length })),
  };
}

function total(reports: readonly ScenarioReport[], of: (report: ScenarioReport) => number): number {
  return reports.reduce((sum, report) => sum + of(report), 0);
}
