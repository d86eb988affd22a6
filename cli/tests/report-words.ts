// Words of reports, the same on the terminal and in Markdown.
import type { ReportedCase, ReportedInterval, ReportedRun, ReportedVersion } from '../json/tests.ts';
import { count } from '../output/print.ts';

/** `18 of 20 cases passed [70 %, 97 %], 56 of 60 runs`. */
export function describeVersion(version: ReportedVersion): string {
  const { cases, casesPassed, casesInterval, runs, runsPassed } = version;
  const interval = casesInterval === null ? '' : ` ${renderInterval(casesInterval)}`;
  return `${casesPassed} of ${count(cases, 'case')} passed${interval}, ${runsPassed} of ${count(runs, 'run')}`;
}

export function describeCost({
  costMicrodollars,
  latencyMs,
  tokensInput,
  tokensOutput,
}: ReportedVersion): string {
  const cost = costMicrodollars === null ? 'unknown cost' : renderCost(costMicrodollars);
  const latency = latencyMs === null ? '' : `, ${latencyMs} ms a run`;
  return `${cost}, ${tokensInput} tokens in and ${tokensOutput} out${latency}`;
}

export function describeCalls({ callsReplayed, callsMade }: ReportedVersion): string {
  return `${count(callsReplayed, 'call')} from recordings, ${callsMade} made`;
}

/** Rounded outwards, so that it covers what it says. */
export function renderInterval({ low, high }: ReportedInterval): string {
  return `[${Math.floor(low * 100 + 1e-9)} %, ${Math.ceil(high * 100 - 1e-9)} %]`;
}

export function renderCost(microdollars: number): string {
  return `$${(microdollars / 1_000_000).toFixed(microdollars < 10_000 ? 6 : 4)}`;
}

/** `2/3`. */
export function renderPassed({ passed, runs }: ReportedCase): string {
  return `${passed}/${runs.length}`;
}

const WITHOUT_VERDICT = {
  missing: 'no recording',
  maxCost: 'over --max-cost',
  error: 'no verdict',
} as const;

export function describeStatus({ status }: Pick<ReportedCase, 'status'>): string {
  return status === 'passed' || status === 'failed' ? status : WITHOUT_VERDICT[status];
}

/** Why the first run that did not pass did not; undefined where all have. */
export function describeFailure({ runs }: ReportedCase): string | undefined {
  const failed = worstRun(runs);
  if (failed === undefined) return undefined;
  if (failed.error !== null) return failed.error;
  const reasons = failed.assertions.filter(({ pass, type }) => !pass && type !== 'assert-set');
  return (
    reasons.map(({ type, reason }) => `${type}: ${reason}`).join('; ') || 'its score is below the threshold'
  );
}

export function worstRun(runs: readonly ReportedRun[]): ReportedRun | undefined {
  return runs.find(({ status }) => status !== 'passed');
}
