// The report on a terminal.
import type { ReportedCase, TestReport } from '../json/tests.ts';
import type { Output } from '../output/print.ts';
import { printableLine } from '../output/printable.ts';
import type { Column } from '../output/table.ts';
import { renderTable } from '../output/table.ts';
import {
  describeCalls,
  describeCost,
  describeFailure,
  describeStatus,
  describeVersion,
  renderInterval,
  renderPassed,
} from './report-words.ts';

interface Row {
  readonly after: ReportedCase;
  readonly before: ReportedCase | undefined;
}

export function renderReport(report: TestReport, { paint, width }: Pick<Output, 'paint' | 'width'>): string {
  const [tested, before] = report.versions;
  if (tested === undefined) return '';
  const rows = tested.results.map((after, at): Row => ({ after, before: before?.results[at] }));
  const columns = before === undefined ? COLUMNS : [...COLUMNS.slice(0, 2), BEFORE, ...COLUMNS.slice(2)];
  const { text } = renderTable(rows, columns, { paint, available: width });
  const failures = tested.results.flatMap((one) => {
    const why = describeFailure(one);
    return why === undefined ? [] : [`  ${printableLine(`${one.tests} · ${one.case}: ${why}`)}`];
  });
  return [
    text,
    ...(failures.length === 0 ? [] : ['', ...failures]),
    '',
    ...report.versions.map(
      (version) =>
        `${printableLine(version.version)}: ${describeVersion(version)}; ${describeCost(version)}; ${describeCalls(version)}.`,
    ),
    ...Object.entries(tested.metrics).map(([name, score]) => `${printableLine(name)}: ${score.toFixed(3)}`),
    ...(report.comparison === null ? [] : [report.comparison.sentence]),
  ].join('\n');
}

const COLUMNS: readonly Column<Row>[] = [
  { head: 'CASE', cell: ({ after }) => `${after.tests} · ${after.case}` },
  {
    head: 'STATUS',
    cell: ({ after }) => describeStatus(after),
    format: ({ after }) => (after.status === 'passed' ? 'green' : 'red'),
  },
  { head: 'RUNS', cell: ({ after }) => renderPassed(after), align: 'right' },
  { head: 'SCORE', cell: ({ after }) => after.score.toFixed(2), align: 'right' },
  {
    head: '95 %',
    cell: ({ after }) => (after.interval === null ? '' : renderInterval(after.interval)),
    align: 'right',
  },
];

const BEFORE: Column<Row> = {
  head: 'BEFORE',
  cell: ({ before }) => (before === undefined ? '' : `${describeStatus(before)} ${renderPassed(before)}`),
};
