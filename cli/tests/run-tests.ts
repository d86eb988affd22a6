// Runs the tests of a command line, and keeps what they recorded.
import { systemClock } from '../../adapters/platform/clock.ts';
import { createRecorder } from '../../core/tests/recording/recorder.ts';
import { runSuite } from '../../core/tests/suite/run-suite.ts';
import type { TestReport } from '../json/tests.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session/session.ts';
import { describeMissing, describeUnused } from './missing.ts';
import { openSides } from './open-sides.ts';
import { isWhole, type TestOptions } from './options.ts';
import { readSuite, requireTests } from './read-suite.ts';
import { openRecordings } from './recordings-file.ts';
import { toReport } from './report.ts';

/** Throws `CommandFailure` before the first run, for whatever keeps it from beginning. */
export async function runTests(options: TestOptions, session: Session): Promise<TestReport> {
  const { out, terminal } = session;
  const suite = await readSuite(options.paths, options.overlay ?? [], session);
  requireTests(suite, options.paths);
  const notes = new Set<string>();
  const { sides, further, outside } = await openSides(options, suite, session, notes);
  const recordings = openRecordings(terminal.folder, suite.tests.map(toTestsFile), further);
  const { record: mode, maxCost } = options;
  const recorder = createRecorder({ mode, recordings, maxCost, clock: systemClock });
  const progress = createProgress(systemClock, out);
  const documents = suite.tests.map(({ document }) => document);
  const ports = { recorder, clock: systemClock, validateJson: outside.validateJson };
  const outcomes = await runSuite(documents, sides, ports, {
    repeat: options.repeat,
    parallel: options.parallel,
    // It depends on the time: elsewhere two runs from the same recordings print the same.
    ...(terminal.stderr.isTerminal
      ? { onRun: (ended: number, all: number) => progress(() => `${ended} of ${all} runs`) }
      : {}),
  });
  if (mode !== 'none') recordings.save(mode === 'all' && isWhole(options) ? outcomes : undefined);
  const report = toReport(outcomes);
  for (const note of notes) out.warn(note);
  for (const line of describeMissing(report, options, session)) out.warn(line);
  for (const line of describeUnused(recordings.unused(), options)) out.message(line);
  return report;
}

function toTestsFile({ file, document }: Awaited<ReturnType<typeof readSuite>>['tests'][number]) {
  return { file, tests: document.tests, cases: document.cases.map(({ name }) => name) };
}
