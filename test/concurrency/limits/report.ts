// What the proof prints and writes down.
import { createPaint } from '../../../cli/output/paint.ts';
import { type Column, renderTable } from '../../../cli/output/table.ts';
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

/** A rule of a scenario. Facts of the scenario are on the line of its first rule. */
interface Row extends RuleVerdict {
  readonly scenario: string;
  readonly offered: number | string;
  readonly refused: number | string;
  readonly processes: number | string;
}

const COLUMNS: readonly Column<Row>[] = [
  { head: 'scenario', cell: ({ scenario }) => scenario },
  { head: 'rule', cell: ({ rule }) => rule },
  { head: 'limit', cell: ({ limit }) => limit, align: 'right' },
  { head: 'counters', cell: ({ counters }) => counters, align: 'right' },
  { head: 'offered', cell: ({ offered }) => offered, align: 'right' },
  { head: 'refused', cell: ({ refused }) => refused, align: 'right' },
  { head: 'admitted', cell: ({ admitted }) => admitted, align: 'right' },
  { head: 'over', cell: ({ overshoot }) => overshoot, align: 'right' },
  { head: 'under', cell: ({ undershoot }) => undershoot, align: 'right' },
  { head: 'cause', cell: ({ cause }) => cause },
  { head: 'processes', cell: ({ processes }) => processes, align: 'right' },
];

/** One line a rule. `admitted` is in the rule's unit and by the provider's books; `refused` are 429s. */
export function renderReports(reports: readonly ScenarioReport[]): string {
  const rows = reports.flatMap(({ name, offered, outcomes, rules, writers }) => {
    const codes = ['rate_limited', 'usage_limit_exceeded', 'too_many_at_once'];
    const refused = codes.reduce((sum, code) => sum + (outcomes[code] ?? 0), 0);
    return rules.map((rule, index) =>
      index === 0
        ? { ...rule, scenario: name, offered, refused, processes: writers.length }
        : { ...rule, scenario: '', offered: '', refused: '', processes: '' },
    );
  });
  return renderTable(rows, COLUMNS, { paint: createPaint(false) }).text;
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
