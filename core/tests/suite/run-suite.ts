// Makes the runs of all cases, some at once. The order of what comes out does not depend on which ends first.
import { mapAtOnce } from '../../async/at-once.ts';
import type { TestCase, TestsDocument } from '../../settings/tests/tests-schema.ts';
import type { CaseNeurons } from './case-neurons.ts';
import type { RunOutcome, SideOutcome } from './outcomes.ts';
import { toCaseOutcome } from './outcomes.ts';
import { type CasePorts, runCase } from './run-case.ts';

/** One version of the tested neurons. */
export interface Side {
  readonly label: string;
  /** The neurons of a tests document. */
  readonly neuronsOf: (document: TestsDocument) => CaseNeurons;
}

export interface SuiteOptions {
  /** In place of `repeat` of documents and cases. */
  readonly repeat: number | undefined;
  /** Runs at once. */
  readonly parallel: number;
  /** Called after each run. */
  readonly onRun?: (ended: number, all: number) => void;
}

interface PlannedRun {
  readonly side: Side;
  readonly document: TestsDocument;
  readonly test: TestCase;
  readonly repetition: number;
}

/** Never rejects for what a run comes to. */
export async function runSuite(
  documents: readonly TestsDocument[],
  sides: readonly Side[],
  ports: CasePorts,
  { repeat, parallel, onRun }: SuiteOptions,
): Promise<readonly SideOutcome[]> {
  const timesOf = (document: TestsDocument, test: TestCase) => repeat ?? test.repeat ?? document.repeat;
  const planned = sides.flatMap((side) =>
    documents.flatMap((document) =>
      document.cases.flatMap((test) =>
        Array.from(
          { length: timesOf(document, test) },
          (_, at): PlannedRun => ({
            side,
            document,
            test,
            repetition: at + 1,
          }),
        ),
      ),
    ),
  );
  let ended = 0;
  const outcomes = new Map<PlannedRun, RunOutcome>();
  await mapAtOnce(planned, parallel, async (run) => {
    const { side, document, test, repetition } = run;
    const place = { tests: document.tests, case: test.name, repetition };
    outcomes.set(run, await runCase(test, place, side.neuronsOf(document), ports));
    ended += 1;
    onRun?.(ended, planned.length);
  });
  const bySide = Map.groupBy(planned, ({ side }) => side);
  return sides.map((side) => {
    const byTest = Map.groupBy(bySide.get(side) ?? [], ({ test }) => test);
    return { label: side.label, cases: documents.flatMap((document) => toOutcomes(document, byTest)) };
  });

  function toOutcomes(document: TestsDocument, byTest: ReadonlyMap<TestCase, readonly PlannedRun[]>) {
    return document.cases.map((test) => {
      const runs = (byTest.get(test) ?? []).flatMap((run) => outcomes.get(run) ?? []);
      const passRate = test.passRate ?? document.passRate;
      return toCaseOutcome({ tests: document.tests, name: test.name, passRate }, runs);
    });
  }
}
