// Shows one text to a guard as a request would: in parts, within its time, by the prices of its settings.
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import type { ActiveGuard } from '../../../core/guards/active-guards.ts';
import { ask } from '../../../core/guards/remote/ask.ts';
import { reserveQuestion, type ServicePorts } from '../../../core/guards/remote/question.ts';
import type { Stage } from '../../../core/settings/guards/guards-schema.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { startDeadline } from '../../../core/time/deadline.ts';

/** A find without a place is of the whole text. */
export interface PlacedFind {
  readonly entity: string;
  readonly start?: number;
  readonly end?: number;
}

export interface Inspection {
  readonly isFound: boolean;
  readonly finds: readonly PlacedFind[];
  /** Present where a service gave no verdict. */
  readonly notJudged?: string;
  readonly ms: number;
  /** Null without a price. */
  readonly costMicrodollars: number | null;
}

export interface InspectPorts extends Pick<ServicePorts, 'open' | 'costOfModel'> {
  readonly clock: Clock;
}

/** More than any guard may take. */
const DEADLINE_MS = 60_000;

const ROLES = {
  input: 'user',
  system: 'system',
  tools: 'system',
  toolResults: 'tool',
  output: 'assistant',
  toolCalls: 'assistant',
} as const satisfies Record<Stage, string>;

/** Never rejects for a service that fails. */
export async function inspectText(
  guard: ActiveGuard,
  stage: Stage,
  text: string,
  { clock, open, costOfModel }: InspectPorts,
): Promise<Inspection> {
  const { service } = guard;
  if (service === undefined) {
    const startedMs = performance.now();
    const finds = guard.find(text);
    return { isFound: finds.length > 0, finds, ms: performance.now() - startedMs, costMicrodollars: 0 };
  }
  const deadline = startDeadline(clock, DEADLINE_MS);
  let spent: number | null = 0;
  const ports: ServicePorts = {
    clock,
    deadline,
    // One for each text: each of them is to be inspected, also after failures.
    breakers: createCircuitBreakers(clock).within('report'),
    open,
    costOfModel,
    reserve: async () => ({
      settle({ costMicrodollars }) {
        spent = costMicrodollars;
      },
    }),
    onCalls: () => undefined,
  };
  try {
    const question = { guard, service, stage, texts: [{ role: ROLES[stage], text }] };
    const { isBlocked, finds, failure, ms } = await ask(await reserveQuestion(question, ports), ports);
    return {
      isFound: isBlocked,
      finds: finds.map(({ entity, span }) => ({ entity, ...span })),
      ...(failure === undefined ? {} : { notJudged: failure.notJudged }),
      ms,
      costMicrodollars: spent,
    };
  } finally {
    deadline.end();
  }
}
