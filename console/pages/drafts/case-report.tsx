// The report of cases: a row each, with verdict, cost and time of both versions, and what is to be made of it.
import { formatCost, formatMs } from '../../data/format.ts';
import type { TestedCaseValue, TestReportValue } from '../../data/values.ts';
import { Badge, Figure, type Tone } from '../../parts/layout.tsx';
import { Table, type TableColumn } from '../../parts/table.tsx';
import { Line } from '../../parts/text.tsx';

interface Row {
  readonly draft: TestedCaseValue;
  /** Undefined where no version is deployed. */
  readonly deployed: TestedCaseValue | undefined;
}

export function CaseReport({ report: { versions, comparison } }: { readonly report: TestReportValue }) {
  const [draft, deployed] = versions;
  if (draft === undefined) return null;
  const rows = draft.results.map((one, at): Row => ({ draft: one, deployed: deployed?.results[at] }));
  const unspent = [...versions].some(({ results }) => results.some(({ status }) => status === 'maxCost'));
  return (
    <>
      {comparison && <p class="strong">{capitalize(comparison.sentence)}</p>}
      {unspent && (
        <p>The budget ended before every case had run. Cases without a verdict are not compared.</p>
      )}
      <div class="figures plain">
        {[...versions].reverse().map((version) => (
          <Figure
            key={version.version}
            label={version.version === 'draft' ? 'Draft' : `Deployed, ${version.version}`}
            value={`${version.casesPassed} of ${version.cases} passed`}
            detail={`${formatCost(version.costMicrodollars)} in all${version.latencyMs === null ? '' : `, ${formatMs(version.latencyMs)} a run`}`}
          />
        ))}
      </div>
      <Table
        rows={rows}
        columns={deployed === undefined ? [CASE, ...DRAFT] : [CASE, ...DEPLOYED, ...DRAFT]}
        keyOf={({ draft: { case: name } }) => name}
        label="Cases on both"
      />
    </>
  );
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const CASE: TableColumn<Row> = {
  head: 'Case',
  cell: ({ draft, deployed }) => (
    <>
      <Line text={draft.case} />
      <Reason name="Deployed" of={deployed} />
      <Reason name="Draft" of={draft} />
    </>
  ),
};

const DEPLOYED = columnsOf('Deployed', ({ deployed }) => deployed);
const DRAFT = columnsOf('Draft', ({ draft }) => draft);

function columnsOf(
  name: string,
  sideOf: (row: Row) => TestedCaseValue | undefined,
): readonly TableColumn<Row>[] {
  const runOf = (row: Row) => sideOf(row)?.runs[0];
  return [
    { head: name, cell: (row) => <Verdict of={sideOf(row)} /> },
    {
      head: `Cost (${name.toLowerCase()})`,
      cell: (row) => formatCost(runOf(row)?.costMicrodollars),
      align: 'right',
      shown: 'medium',
    },
    {
      head: `Time (${name.toLowerCase()})`,
      cell: (row) => formatMs(runOf(row)?.latencyMs),
      align: 'right',
      shown: 'medium',
    },
  ];
}

const VERDICTS: Readonly<Record<TestedCaseValue['status'], readonly [string, Tone]>> = {
  passed: ['passed', 'good'],
  failed: ['failed', 'bad'],
  error: ['no verdict', 'warn'],
  missing: ['no recording', 'warn'],
  maxCost: ['over the budget', 'warn'],
};

function Verdict({ of }: { readonly of: TestedCaseValue | undefined }) {
  if (of === undefined) return <>–</>;
  const [text, tone] = VERDICTS[of.status];
  return <Badge tone={tone}>{text}</Badge>;
}

/** Why the case has not passed; the budget is said once above the table. */
function Reason({ name, of }: { readonly name: string; readonly of: TestedCaseValue | undefined }) {
  const run = of?.runs[0];
  if (run === undefined || of?.status === 'passed' || of?.status === 'maxCost') return null;
  const failed = run.assertions.filter(({ pass, type }) => !pass && type !== 'assert-set');
  const why = run.error ?? failed.map(({ type, reason }) => `${type}: ${reason}`).join('; ');
  return (
    <span class="detail block-line">
      {name}: <Line text={why || 'its score is below the threshold'} />
    </span>
  );
}
