// Runs a version or a draft in this process, with the rights of its operator.
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../adapters/platform/clock.ts';
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import { createRecorder } from '../../../core/tests/recording/recorder.ts';
import { createLiveClock } from '../../../core/tests/run/run-clock.ts';
import { type NeuronRun, runNeuron } from '../../../core/tests/run/run-neuron.ts';
import type { TestedNeuron } from '../../../core/tests/run/tested-neuron.ts';
import type { JsonObject } from '../../../core/text/json.ts';
import type { VersionRun } from '../../json/settings.ts';
import type { Session } from '../../session/session.ts';
import { openOutside } from '../../tests/open-outside.ts';

/** `version`: null for a draft. Every call to the outside is made, and nothing of it is kept. Warns of secrets that were not found. */
export async function runVersion(
  neuron: TestedNeuron,
  version: string | null,
  body: JsonObject,
  session: Session,
): Promise<VersionRun> {
  const notes = new Set<string>();
  const clock = createLiveClock(systemClock);
  const recorder = createRecorder({
    mode: 'all',
    recordings: { find: () => undefined, add: () => undefined },
    maxCost: undefined,
    clock,
  }).openRun({ tests: neuron.name, case: 'draft', repetition: 1 }, clock.advance);
  const ports = { ...openOutside(session, notes), clock, recorder, circuits: createCircuitBreakers(clock) };
  const run = await runNeuron(neuron, { body, username: undefined, seed: randomUUID() }, ports);
  for (const note of notes) session.out.warn(note);
  return toResult(neuron.name, version, run);
}

function toResult(neuron: string, version: string | null, run: NeuronRun): VersionRun {
  const { latencyMs = null, costMicrodollars, tokensInput, tokensOutput } = run;
  const isDone = run.kind === 'done';
  return {
    neuron,
    version,
    output: isDone ? run.output : null,
    code: isDone ? null : run.code,
    reason: isDone ? null : (run.reason ?? null),
    latencyMs,
    costMicrodollars,
    tokensInput,
    tokensOutput,
  };
}
