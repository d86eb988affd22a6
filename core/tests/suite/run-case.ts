// Makes one run of a case, and judges its answer.
import { createCircuitBreakers } from '../../flow/circuit-breaker.ts';
import type { ValidateJson } from '../../ports/platform.ts';
import type { TestCase } from '../../settings/tests/tests-schema.ts';
import type { Clock } from '../../time/clock.ts';
import { type Assessment, assessAnswer } from '../assertions/assess.ts';
import type { Recorder, RunRecorder } from '../recording/recorder.ts';
import type { RunPlace } from '../recording/recording.ts';
import { createRunClock } from '../run/run-clock.ts';
import type { NeuronRun, RunRequest } from '../run/run-neuron.ts';
import { createSpent, type Spent, toAssertionPorts } from './assertion-ports.ts';
import type { CaseNeurons, OpenRun } from './case-neurons.ts';
import type { RunOutcome } from './outcomes.ts';

export interface CasePorts {
  readonly recorder: Recorder;
  readonly clock: Pick<Clock, 'sleep' | 'timer'>;
  readonly validateJson: ValidateJson;
}

/** Never rejects. */
export async function runCase(
  test: TestCase,
  place: RunPlace,
  neurons: CaseNeurons,
  ports: CasePorts,
): Promise<RunOutcome> {
  const clock = createRunClock(ports.clock);
  const recorder = ports.recorder.openRun(place, clock.advance);
  const open: OpenRun = { clock, recorder, circuits: createCircuitBreakers(clock) };
  const seed = JSON.stringify([place.tests, place.case, place.repetition]);
  const answered = await neurons.neuron({ body: toBody(test), username: test.username, seed }, open);
  const spent = createSpent(answered);
  const verdict = await judge(test, answered, neurons, { ...ports, open, seed, spent });
  const { replayed, live, missing } = recorder.counts();
  return {
    ...verdict,
    ...ofObstacle(recorder),
    output: answered.kind === 'done' ? answered.output : undefined,
    latencyMs: answered.latencyMs,
    ...spent.totals(),
    replayed,
    live,
    missing,
  };
}

function toBody({ input, messages, variables }: TestCase): RunRequest['body'] {
  return {
    ...(messages === undefined ? { input } : { messages }),
    ...(variables === undefined ? {} : { variables }),
  };
}

function ofObstacle(recorder: RunRecorder): Partial<Pick<RunOutcome, 'status' | 'error'>> {
  const obstacle = recorder.obstacle();
  if (obstacle === undefined) return {};
  const { missing } = recorder.counts();
  if (obstacle === 'missing') return { status: 'missing', error: `no recording of ${missing.join(', ')}` };
  if (obstacle === 'maxCost')
    return { status: 'maxCost', error: 'the next call could cost more than --max-cost leaves' };
  return { status: 'error', error: 'a recording could not be written' };
}

type Verdict = Pick<RunOutcome, 'status' | 'error' | 'score' | 'assertions'>;

interface JudgeContext extends CasePorts {
  readonly open: OpenRun;
  readonly seed: string;
  readonly spent: Spent;
}

async function judge(
  test: TestCase,
  answered: NeuronRun,
  neurons: CaseNeurons,
  context: JudgeContext,
): Promise<Verdict> {
  if (answered.kind === 'failed') {
    const error = answered.reason === undefined ? answered.code : `${answered.code} (${answered.reason})`;
    if (test.error === undefined) return { status: 'error', error, score: 0, assertions: [] };
    return ofExpectation(answered.code === test.error, error);
  }
  if (test.error !== undefined)
    return ofExpectation(false, `expected the error ${test.error}, and the run succeeded`);
  const { latencyMs, costMicrodollars } = answered;
  const answer = { output: answered.output, latencyMs, costMicrodollars };
  try {
    const assessed = await assessAnswer(test, answer, toAssertionPorts(neurons, context));
    return toVerdict(assessed);
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : 'unknown';
    return { status: 'error', error, score: 0, assertions: [] };
  }
}

function ofExpectation(holds: boolean, error: string): Verdict {
  return { status: holds ? 'passed' : 'failed', error, score: holds ? 1 : 0, assertions: [] };
}

function toVerdict({ pass, score, results }: Assessment): Verdict {
  return { status: pass ? 'passed' : 'failed', error: undefined, score, assertions: results };
}
