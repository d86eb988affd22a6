// Asks the services of guards about a text, as a request would when guards in the process have let it pass.
import type { LoggedGuard } from '../../contract/log-entry.ts';
import { type ServiceError, toServiceError } from '../../contract/service-error.ts';
import { createCircuitBreakers } from '../../flow/circuit-breaker.ts';
import type { ActiveGuard } from '../../guards/active-guards.ts';
import type { Block } from '../../guards/block.ts';
import type { Placeholders } from '../../guards/placeholders.ts';
import { createAsking } from '../../guards/remote/asking.ts';
import type { ServicePorts } from '../../guards/remote/question.ts';
import { toQuestions } from '../../guards/remote/verdicts.ts';
import type { Stage } from '../../settings/guards/guards-schema.ts';
import type { Clock } from '../../time/clock.ts';
import { startDeadline } from '../../time/deadline.ts';

export interface ServiceTestPorts extends Pick<ServicePorts, 'open' | 'costOfModel'> {
  readonly clock: Clock;
}

/** A text as services leave it. */
export interface AskedText {
  readonly blocked: Block | undefined;
  /** The text with what they cut out. */
  readonly leaves: string;
  readonly finds: readonly LoggedGuard[];
  /** The error that a request would get, where a guard is closed and gave no verdict. */
  readonly error: ServiceError | undefined;
}

/** More than any guard may take. */
const DEADLINE_MS = 60_000;

/** Nothing is reserved or booked. Never rejects for a service that fails. */
export async function askServices(
  guards: readonly ActiveGuard[],
  {
    stage,
    text,
    placeholders,
  }: { readonly stage: Stage; readonly text: string; readonly placeholders: Placeholders },
  { clock, open, costOfModel }: ServiceTestPorts,
): Promise<AskedText> {
  const deadline = startDeadline(clock, DEADLINE_MS);
  const asking = createAsking(placeholders, {
    clock,
    deadline,
    breakers: createCircuitBreakers(clock).within('test'),
    open,
    costOfModel,
    reserve: async () => ({ settle: () => undefined }),
    onCalls: () => undefined,
  });
  const place = { stage };
  const placed = [{ place, role: ROLES[stage], texts: [text] }];
  try {
    const { blocked, replay } = await asking.askAll(
      toQuestions(guards, placed, () => true),
      placed,
    );
    await asking.ended();
    const [leaves = text] = replay(place, [text]);
    return { blocked, leaves, finds: asking.found(), error: undefined };
  } catch (thrown) {
    await asking.ended();
    return { blocked: undefined, leaves: text, finds: asking.found(), error: toServiceError(thrown) };
  } finally {
    deadline.end();
  }
}

const ROLES = {
  input: 'user',
  system: 'system',
  tools: 'system',
  toolResults: 'tool',
  output: 'assistant',
  toolCalls: 'assistant',
} as const satisfies Record<Stage, string>;
