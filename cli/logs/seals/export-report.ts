// Prints what is wrong with the files of an export, and remembers whether anything was.
import type { Discrepancy, VerificationSummary } from '../../../core/admin/verify-log/discrepancies.ts';
import type { Output } from '../../output/print.ts';
import { printableLine } from '../../output/printable.ts';
import type { LineChecks } from '../export/check-lines.ts';
import type { OtherFile } from '../export/open-export.ts';
import type { ManifestProblem } from '../export/parse-manifest.ts';

/** Reports by kind; `--json` prints each as an object. */
export interface ExportReport {
  manifest(problems: readonly ManifestProblem[]): void;
  files(problems: readonly OtherFile[]): void;
  /** The verification with what is found in lines and counts meanwhile: nothing in a false export is intact. */
  during(run: Verifying, checks: LineChecks | undefined): Verifying;
}

type Verifying = AsyncGenerator<Discrepancy, VerificationSummary>;

export function createExportReport(out: Output): ExportReport {
  let isClean = true;
  const print = (value: object, text: string) => {
    isClean = false;
    out.value(value, text);
  };
  const lines = (checks: LineChecks) => {
    for (const line of checks.take())
      print(line, `${printableLine(line.time)} ${printableLine(line.id)} ${line.problem}`);
  };
  const manifest = (problems: readonly ManifestProblem[]) => {
    for (const { member, problem } of problems)
      print(
        { kind: 'manifest', member, problem },
        `the manifest is false: ${printableLine(member)}: ${problem}`,
      );
  };
  return {
    manifest,
    files(problems) {
      for (const { file, problem } of problems)
        print(
          { kind: 'file', file, problem },
          `${printableLine(file)} is not the file that the manifest describes: ${problem}`,
        );
    },
    async *during(run, checks) {
      for (;;) {
        const { done, value } = await run.next();
        if (checks !== undefined) lines(checks);
        if (!done) {
          yield value;
          continue;
        }
        if (checks !== undefined) manifest(checks.finish());
        return { ...value, intact: value.intact && isClean };
      }
    },
  };
}
