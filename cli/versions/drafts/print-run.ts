// Prints a run of a version or a draft.
import type { VersionRun } from '../../json/settings.ts';
import { EXIT, type ExitCode } from '../../output/failure.ts';
import type { Session } from '../../session/session.ts';
import { renderCost } from '../../tests/report-words.ts';

/** Fails where the run did. */
export function printRun(run: VersionRun, { out }: Session): ExitCode {
  const { output, code, reason } = run;
  if (out.json) out.value(run, '');
  else if (output !== null) out.raw(`${output}\n`);
  else out.warn(`The run failed: ${code}${reason === null ? '' : ` (${reason})`}.`);
  out.message(describeRun(run));
  return output === null ? EXIT.failed : EXIT.done;
}

/** `v2: $0.000012, 340 ms, 10 tokens in and 5 out`. */
function describeRun({
  version,
  latencyMs,
  costMicrodollars,
  tokensInput,
  tokensOutput,
}: VersionRun): string {
  const cost = costMicrodollars === null ? 'unknown cost' : renderCost(costMicrodollars);
  const time = latencyMs === null ? '' : `, ${latencyMs} ms`;
  return `${version ?? 'Draft'}: ${cost}${time}, ${tokensInput} tokens in and ${tokensOutput} out`;
}
