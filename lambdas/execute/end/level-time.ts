// The time of an answer that hides a neuron: the same whether there is one behind it or none.
import { waitAtMost } from '../../../core/async/race.ts';
import type { ServiceError } from '../../../core/contract/service-error.ts';
import type { EndedRun, ExecutionPorts, Run } from '../run.ts';

/** The answer leaves at a multiple of this time after its request. */
const STEP_MS = 50;

/** Max. time that it waits for the entry of a rejected call: for a name that nobody has there is none. */
const MAX_FINISH_MS = 300;

/** True for an answer behind which there may be a neuron that its caller must not know of. */
export function hidesNeuron({ request }: Pick<Run, 'request'>, error: ServiceError | undefined): boolean {
  return request.ofOrganization !== undefined && error?.code === 'model_not_found';
}

/** The same end, later: settings that are parsed, and an entry that is written, take longer than none. Never rejects. */
export async function levelTime(
  ended: EndedRun,
  { startedMs }: Pick<Run, 'startedMs'>,
  { clock }: Pick<ExecutionPorts, 'clock'>,
): Promise<EndedRun> {
  const finished = ended.finish();
  await waitAtMost(clock, MAX_FINISH_MS, finished);
  const elapsedMs = clock.monotonicMs() - startedMs;
  await clock.sleep(STEP_MS - (elapsedMs % STEP_MS));
  return { ...ended, finish: () => finished };
}
