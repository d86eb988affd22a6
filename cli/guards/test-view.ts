// Renders what guards find in texts. Values and places are in it only where the operator asked for them.
import type { FoundPlace, TestedText } from '../../core/admin/guards/test-text.ts';
import type { LoggedGuard } from '../../core/contract/log-entry.ts';
import type { TestedLine } from '../json/guards.ts';
import { count } from '../output/print.ts';
import { printableLine, printableText } from '../output/printable.ts';

interface TestView {
  readonly text: string;
  readonly stage: string;
  readonly show: boolean;
}

export function renderTested(tested: TestedText, { text, stage, show }: TestView): string {
  const finds = tested.finds.map((one) => `  ${describeFinds(one)}`);
  const shown = show
    ? [...tested.places.map((place) => renderPlace(text, place)), ...renderLeaving(tested)]
    : [];
  return [`${stage}: ${describeVerdict(tested)}`, ...finds, ...shown].join('\n');
}

const VERDICTS = {
  blocked: 'blocked',
  changed: 'leaves changed',
  failed: 'no verdict',
  flagged: 'leaves as it is, and the log says so',
  passed: 'leaves as it is, nothing was found',
} as const satisfies Record<TestedText['verdict'], string>;

function describeVerdict({ verdict, answer, error }: TestedText): string {
  if (error !== undefined)
    return `${VERDICTS.failed}, so that a request ends with ${error.code}: ${printableLine(error.reason ?? '')}`;
  if (verdict !== 'blocked' || answer === undefined) return VERDICTS[verdict];
  return `blocked, and answered with ${printableLine(JSON.stringify(answer))}`;
}

/** `pii redact: email 2, card 1`. */
function describeFinds({ guard, action, finds, ms, notJudged }: LoggedGuard): string {
  const found = finds.map(({ type, count: number }) => `${type} ${number}`).join(', ');
  const said = notJudged === undefined ? found || 'nothing' : `no verdict (${notJudged})`;
  return `${guard} ${action}: ${said}${ms === undefined ? '' : `, after ${Math.round(ms)} ms`}`;
}

function renderPlace(text: string, { guard, type, start, end }: FoundPlace): string {
  const before = text.slice(0, start).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return `  ${before.length}:${column} ${guard} ${type} ${printableLine(JSON.stringify(text.slice(start, end)))}`;
}

function renderLeaving({ leaves }: TestedText): readonly string[] {
  if (leaves === undefined) return [];
  return [
    'leaves:',
    ...printableText(leaves)
      .split('\n')
      .map((line) => `  │ ${line}`),
  ];
}

interface TestedLineResult {
  readonly line: number;
  readonly result: TestedText;
}

/** A row for each line with a find or without a verdict, and the sums. */
export function summarizeLines(tested: readonly TestedLineResult[]): string {
  const shown = tested.filter(({ result }) => result.verdict !== 'passed');
  const of = (verdict: TestedText['verdict']) =>
    shown.filter(({ result }) => result.verdict === verdict).length;
  const failed = of('failed');
  const unread = failed === 0 ? '' : `, ${failed} without a verdict`;
  return [
    ...shown.map(
      ({ line, result }) => `line ${line}: ${result.verdict}: ${result.finds.map(describeFinds).join('; ')}`,
    ),
    `${count(tested.length, 'line')}, ${shown.length - failed} with a find, ${of('blocked')} blocked${unread}`,
  ].join('\n');
}

/** For `--json`. */
export function toTestedLine(
  line: number | null,
  stage: string,
  { verdict, error, finds }: TestedText,
): TestedLine {
  return {
    line,
    stage,
    verdict,
    ...(error === undefined ? {} : { error: error.code }),
    guards: finds.map(({ guard, type, action, finds: found, ms, notJudged }) => ({
      guard,
      type,
      action,
      finds: found,
      ...(ms === undefined ? {} : { ms }),
      ...(notJudged === undefined ? {} : { notJudged }),
    })),
  };
}
