// Runs the same cases on a draft and on the deployed version, in this process, and keeps nothing.
import { systemClock } from '../../../adapters/platform/clock.ts';
import type { TestsDocument } from '../../../core/settings/tests/tests-schema.ts';
import { createRecorder } from '../../../core/tests/recording/recorder.ts';
import type { Recording } from '../../../core/tests/recording/recording.ts';
import type { TestedNeuron } from '../../../core/tests/run/tested-neuron.ts';
import { runSuite } from '../../../core/tests/suite/run-suite.ts';
import type { TestReport } from '../../json/tests.ts';
import type { Session } from '../../session/session.ts';
import { findStored } from '../../tests/find-neurons.ts';
import { openOutside } from '../../tests/open-outside.ts';
import { openSide } from '../../tests/open-sides.ts';
import { toReport } from '../../tests/report.ts';

const RUNS_AT_ONCE = 4;

/** `draft`, or the id of a version. */
export interface LabelledNeuron {
  readonly label: string;
  readonly neuron: TestedNeuron;
}

/**
 * Each case runs once on each side, the tested one first. `maxCost`: integer microdollars of all model calls together. A call that both
 * sides make alike is made once. Warns of secrets that were not found. Throws `CommandFailure` for a judge that is nowhere.
 */
export async function runCases(
  documents: readonly TestsDocument[],
  neurons: readonly LabelledNeuron[],
  maxCost: number | undefined,
  session: Session,
): Promise<TestReport> {
  const notes = new Set<string>();
  const outside = openOutside(session, notes);
  const context = { inFiles: findStored('deployed', session), documents, outside };
  const sides = [];
  for (const { label, neuron } of neurons) sides.push(await openSide(label, async () => neuron, context));
  const made = new Map<string, Recording>();
  const recorder = createRecorder({
    mode: 'all',
    recordings: {
      find: (key) => made.get(key),
      add: (recording) => void made.set(recording.key, recording),
    },
    maxCost,
    clock: systemClock,
  });
  const ports = { recorder, clock: systemClock, validateJson: outside.validateJson };
  const outcomes = await runSuite(documents, sides, ports, { repeat: 1, parallel: RUNS_AT_ONCE });
  for (const note of notes) session.out.warn(note);
  return toReport(outcomes);
}
