// Services of guards, asked without a request around them: nothing is reserved, booked or held against a circuit.
import { createCircuitBreakers } from '../../flow/circuit-breaker.ts';
import type { ServicePorts } from '../../guards/remote/question.ts';
import type { Spending } from '../../limits/budget.ts';
import type { InspectedText } from '../../ports/guards.ts';
import type { Stage } from '../../settings/guards/guards-schema.ts';
import type { Clock } from '../../time/clock.ts';
import { startDeadline } from '../../time/deadline.ts';

export interface AlonePorts extends Pick<ServicePorts, 'open' | 'costOfModel'> {
  readonly clock: Clock;
}

/** More than any guard may take. */
const DEADLINE_MS = 60_000;

/** Circuits and a deadline are of this one `work`: a service is asked again, also after failures. `onSpent` is told what each question used. */
export async function askAlone<Result>(
  { clock, open, costOfModel }: AlonePorts,
  work: (ports: ServicePorts) => Promise<Result>,
  onSpent: (spent: Spending) => void = () => undefined,
): Promise<Result> {
  const deadline = startDeadline(clock, DEADLINE_MS);
  const ports: ServicePorts = {
    clock,
    deadline,
    breakers: createCircuitBreakers(clock).within('alone'),
    open,
    costOfModel,
    reserve: async () => ({ settle: onSpent }),
    onCalls: () => undefined,
  };
  try {
    return await work(ports);
  } finally {
    deadline.end();
  }
}

/** Whose a text is that stands at a stage. */
export const ROLES = {
  input: 'user',
  system: 'system',
  tools: 'system',
  toolResults: 'tool',
  output: 'assistant',
  toolCalls: 'assistant',
} as const satisfies Record<Stage, InspectedText['role']>;
