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
/** A comment holds 65,536 characters, whatever names and answers are. */
const MAX_LENGTH = 60_000;
/** Characters of the table's rows. */
const MAX_ROWS_LENGTH = 30_000;
const MAX_ANSWER = 2_000;
const MAX_NEURONS = 20;
const MAX_LABEL = 200;

interface Pair {
  readonly after: ReportedCase;
  readonly before: ReportedCase | undefined;
}

export function renderMarkdown(report: TestReport): string {
  const [tested, before] = report.versions;
  if (tested === undefined) return '';
  const pairs = tested.results.map((after, at): Pair => ({ after, before: before?.results[at] }));
  const head = [
    `## ${report.passed ? '✅' : '❌'} Tests of ${nameAll(tested)}`,
    '',
    ...report.versions.map(
      (version) =>
        `- **${escapeText(cut(version.version, MAX_LABEL))}**: ${describeVersion(version)}; ${describeCost(version)}; ${describeCalls(version)}`,
    ),
    ...(report.comparison === null ? [] : ['', escapeText(cut(report.comparison.sentence, 500))]),
    ...describeScore(report),
    '',
    ...renderTable(pairs, before),
  ].join('\n');
  const answers = pairs
    .filter(isShown)
    .toSorted((one, other) => one.after.score - other.after.score)
    .slice(0, MAX_SHOWN)
    .map((pair) => renderAnswers(pair, tested, before).join('\n'));
  return `${[head, ...fitting(answers, MAX_LENGTH - head.length)].join('\n')}\n`.toWellFormed();
}

function isShown({ after, before }: Pair): boolean {
  return after.status !== 'passed' || before?.status === 'failed';
}

/** The first texts, as many as have room together. */
function fitting(texts: readonly string[], room: number): readonly string[] {
  let left = room;
  return texts.filter((text) => {
    left -= text.length + 1;
    return left >= 0;
  });
}

function nameAll({ results }: ReportedVersion): string {
  const names = [...new Set(results.map(({ tests }) => `\`${tests}\``))];
  const left = names.length - MAX_NEURONS;
  return `${names.slice(0, MAX_NEURONS).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
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
  // Cases that did not pass have their room first.
  const first = pairs.toSorted((one, other) => Number(isShown(other)) - Number(isShown(one)));
  const texts = fitting(
    first.map((pair) => renderRow(pair, before)),
    MAX_ROWS_LENGTH,
  );
  const rendered = new Map(texts.map((text, at) => [first[at], text]));
  const rows = pairs.flatMap((pair) => rendered.get(pair) ?? []);
  const left = pairs.length - rows.length;
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows,
    ...(left > 0 ? ['', `${left} more cases are in the JSON report.`] : []),
  ];
}

function renderRow({ after, before: other }: Pair, before: ReportedVersion | undefined): string {
  const cells = [
    escapeCell(`${after.tests} · ${after.case}`),
    ...(before === undefined
      ? []
      : [other === undefined ? '' : `${describeStatus(other)} ${renderPassed(other)}`]),
    after.status === 'passed' ? 'passed' : `**${describeStatus(after)}**`,
    renderPassed(after),
    after.interval === null ? '' : renderInterval(after.interval),
    after.score.toFixed(2),
    escapeCell(cut(describeFailure(after) ?? '', 300)),
  ];
  return `| ${cells.join(' | ')} |`;
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
    return `<td valign="top">\n\n**${escapeText(cut(version, MAX_LABEL))}**\n\n${fence(cut(text, MAX_ANSWER))}\n\n</td>`;
  });
  const title = withoutLinks(escapeHtml(`${after.tests} · ${after.case}`));
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
  return withoutLinks(escapeHtml(text).replaceAll(/[\\`*_{}[\]()#+!|~-]/g, (character) => `\\${character}`));
}

/** GitHub makes links of names, numbers of issues and addresses in any text. */
function withoutLinks(text: string): string {
  return text
    .replaceAll(/#(?=[0-9])/g, '#&#8203;')
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
