// How the conditions of a flow on the input come out, without running it.
import type { Flow } from '../settings/flow-schema.ts';
import { walkFlow } from '../settings/walk-flow.ts';
import type { Deadline } from '../time/deadline.ts';
import { holdsFor } from './contains.ts';

/**
 * One character for each `ifInputContains`, in the order in which they are written, also those that a run would not reach:
 * `1` where it holds. Throws `ServiceError` like the step itself.
 */
export function inputOutcomes(flow: Flow, input: string, deadline: Deadline): string {
  return [...walkFlow(flow)]
    .flatMap(({ step }) => (step !== undefined && 'ifInputContains' in step ? [step.ifInputContains] : []))
    .map((condition) => (holdsFor(condition, input, deadline) ? '1' : '0'))
    .join('');
}
