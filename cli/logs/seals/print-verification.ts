// Prints discrepancies of a chain as they are found, then the verdict.
import type { Discrepancy, VerificationSummary } from '../../../core/admin/verify-log/discrepancies.ts';
import type { VerificationProgress } from '../../../core/admin/verify-log/verify-log.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { count, type Output } from '../../output/print.ts';
import { createProgress } from '../../output/progress.ts';
import type { ExportManifest } from '../export/manifest.ts';
import { describeDiscrepancy, describeSummary } from './discrepancy-view.ts';

interface VerificationSubject {
  readonly chain: string;
  /** Slug; undefined for the service. */
  readonly organization: string | undefined;
  readonly subject: string;
  readonly isHeadKept: boolean;
  /** The period that an export has, and when it was begun; absent for the tables. */
  readonly exported?: Pick<ExportManifest, 'from' | 'to' | 'startedAt'>;
  /** To be told each discrepancy. */
  readonly onFound?: (discrepancy: Discrepancy) => void;
}

/** True for an intact chain. */
export async function printVerification(
  run: AsyncGenerator<Discrepancy, VerificationSummary>,
  { chain, organization = undefined, subject, isHeadKept, exported, onFound }: VerificationSubject,
  out: Output,
): Promise<boolean> {
  for (;;) {
    const { done, value } = await run.next();
    if (!done) {
      onFound?.(value);
      out.value(value, describeDiscrepancy(value));
      continue;
    }
    const { head } = value;
    const { from, to, startedAt } = exported ?? {};
    const period = exported === undefined ? '' : `\nIt has ${from} to ${to}, and was begun at ${startedAt}.`;
    const named = { kind: 'summary', organization: organization ?? null, chain };
    out.value(
      { ...named, ...value, head: head ?? null, ...(exported === undefined ? {} : { from, to, startedAt }) },
      `${describeSummary(subject, value, isHeadKept)}${period}`,
    );
    return value.intact;
  }
}

/** Reports how far a long verification is. */
export function createVerificationProgress(clock: Pick<Clock, 'now'>, out: Output) {
  const report = createProgress(clock, out);
  return ({ seals, entries, time }: VerificationProgress) =>
    report(() => `${entries} entries and ${count(seals, 'seal')} so far, up to ${time}`);
}
