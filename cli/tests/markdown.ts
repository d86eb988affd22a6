// The report as Markdown, for the comment on a pull request.
import type { ReportedCase, ReportedVersion, TestReport } from '../json/tests.ts';
import {
  describeCalls,
  describeCost,
  describeFailure,
  describeStatus,
  describeVersion,
  renderInterval,
  renderPassed,
  worstRun,
} from './report-words.ts';

/** Cases whose answers are shown. */
const MAX_SHOWN = 3;
/** Rows of the table: a comment holds 65,536 characters. */
const MAX_ROWS = 200;
const MAX_ANSWER = 2_000;

interface Pair {
  readonly after: ReportedCase;
  readonly before: ReportedCase | undefined;
}

export function renderMarkdown(report: TestReport): string {
  const [tested, before] = report.versions;
  if (tested === undefined) return '';
  const pairs = tested.results.map((after, at): Pair => ({ after, before: before?.results[at] }));
  return [
    `## ${report.passed ? '✅' : '❌'} Tests of ${nameAll(tested)}`,
    '',
    ...report.versions.map(
      (version) =>
        `- **${escapeText(version.version)}**: ${describeVersion(version)}; ${describeCost(version)}; ${describeCalls(version)}`,
    ),
    ...(report.comparison === null ? [] : ['', escapeText(report.comparison.sentence)]),
    ...describeScore(report),
    '',
    ...renderTable(pairs, before),
    ...pairs
      .filter(({ after, before: other }) => after.status !== 'passed' || other?.status === 'failed')
      .toSorted((one, other) => one.after.score - other.after.score)
      .slice(0, MAX_SHOWN)
      .flatMap((pair) => renderAnswers(pair, tested, before)),
    '',
  ].join('\n');
}

function nameAll({ results }: ReportedVersion): string {
  return [...new Set(results.map(({ tests }) => `\`${tests}\``))].join(', ');
}

function describeScore({ comparison }: TestReport): readonly string[] {
  if (!comparison?.score) return [];
  const { mean, low, high, seed } = comparison.score;
  const [change, from, to] = [mean, low, high].map(
    (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`,
  );
  return ['', `Mean score: ${change} [${from}, ${to}] (95 %, paired bootstrap by case, seed ${seed}).`];
}

function renderTable(pairs: readonly Pair[], before: ReportedVersion | undefined): readonly string[] {
  const head = [
    'Case',
    ...(before === undefined ? [] : ['Before']),
    before === undefined ? 'Result' : 'After',
    'Runs',
    '95 %',
    'Score',
    'Why',
  ];
  const rows = pairs
    .slice(0, MAX_ROWS)
    .map(({ after, before: other }) => [
      escapeCell(`${after.tests} · ${after.case}`),
      ...(before === undefined
        ? []
        : [other === undefined ? '' : `${describeStatus(other)} ${renderPassed(other)}`]),
      after.status === 'passed' ? 'passed' : `**${describeStatus(after)}**`,
      renderPassed(after),
      after.interval === null ? '' : renderInterval(after.interval),
      after.score.toFixed(2),
      escapeCell(cut(describeFailure(after) ?? '', 300)),
    ]);
  const left = pairs.length - rows.length;
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    ...(left > 0 ? ['', `${left} more cases are in the JSON report.`] : []),
  ];
}

function renderAnswers(
  { after, before: other }: Pair,
  tested: ReportedVersion,
  before: ReportedVersion | undefined,
): readonly string[] {
  const sides: readonly (readonly [string, ReportedCase | undefined])[] = [
    ...(before === undefined ? [] : [[before.version, other] as const]),
    [tested.version, after],
  ];
  const cells = sides.map(([version, one]) => {
    const run = one && (worstRun(one.runs) ?? one.runs[0]);
    const text = run?.output ?? run?.error ?? '';
    return `<td valign="top">\n\n**${escapeText(version)}**\n\n${fence(cut(text, MAX_ANSWER))}\n\n</td>`;
  });
  const title = `${escapeHtml(after.tests)} · ${escapeHtml(after.case)}`;
  return [
    '',
    `<details><summary>${title}</summary>`,
    '',
    `<table><tr>${cells.join('')}</tr></table>`,
    '',
    '</details>',
  ];
}

/** A fence longer than any in the text, so that no answer can end it. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}text\n${text}\n${mark}`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

/** Answers of models stand in comments: nothing of them may be a link, a mention, a picture or HTML. */
function escapeText(text: string): string {
  return escapeHtml(text)
    .replaceAll(/[\\`*_{}[\]()#+!|~-]/g, (character) => `\\${character}`)
    .replaceAll('@', '@&#8203;')
    .replaceAll(/(https?):/gi, '$1&#58;')
    .replaceAll(/www\./gi, 'www&#46;');
}

function escapeCell(text: string): string {
  return escapeText(text).replaceAll(/\s+/g, ' ');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
