// Prints what verifying a chain finds, each discrepancy when it is found, and the verdict last.
import type { Discrepancy, VerificationSummary } from '../../../core/admin/verify-log/discrepancies.ts';
import type { VerificationProgress } from '../../../core/admin/verify-log/verify-log.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { count, type Output } from '../../output/print.ts';
import { describeDiscrepancy, describeSummary } from './discrepancy-view.ts';

/** Between two progress messages. */
const PROGRESS_MS = 2_000;

/** What was verified. */
interface Verified {
  readonly chain: string;
  /** Slug; undefined for the service. */
  readonly organization: string | undefined;
  readonly subject: string;
  readonly isHeadKept: boolean;
}

/** True for an intact chain. */
export async function printVerification(
  run: AsyncGenerator<Discrepancy, VerificationSummary>,
  { chain, organization = undefined, subject, isHeadKept }: Verified,
  out: Output,
): Promise<boolean> {
  for (;;) {
    const { done, value } = await run.next();
    if (!done) {
      out.value(value, describeDiscrepancy(value));
      continue;
    }
    const { head } = value;
    out.value(
      { kind: 'summary', organization: organization ?? null, chain, ...value, head: head ?? null },
      describeSummary(subject, value, isHeadKept),
    );
    return value.intact;
  }
}

/** Reports on standard error how far a long verification is. */
export function createProgress(clock: Pick<Clock, 'now'>, out: Output) {
  let reportedMs = clock.now();
  return ({ seals, entries, time }: VerificationProgress) => {
    if (clock.now() - reportedMs < PROGRESS_MS) return;
    reportedMs = clock.now();
    out.message(`${entries} entries and ${count(seals, 'seal')} so far, up to ${time}`);
  };
}
