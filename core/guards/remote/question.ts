// A question to a service, and the reservation of the most that it can cost.
import type { LoggedModelCall } from '../../contract/log-entry.ts';
import type { CircuitBreakers } from '../../flow/circuit-breaker.ts';
import type { Budget, Reservation, Spending } from '../../limits/budget.ts';
import type { GuardService, InspectedText } from '../../ports/guards.ts';
import type { ServiceGuard, Stage } from '../../settings/guards/guards-schema.ts';
import type { Clock } from '../../time/clock.ts';
import type { Deadline } from '../../time/deadline.ts';
import type { ActiveGuard, ServiceUse } from '../active-guards.ts';
import { type CostOfModel, spendingOf } from './charge.ts';
import { type Chunk, chunkTexts } from './chunks.ts';
import { traitsOf } from './traits.ts';

/** The outside as guards by services reach it. */
export interface ServicePorts {
  readonly clock: Clock;
  /** The deadline of the run. */
  readonly deadline: Deadline;
  readonly breakers: CircuitBreakers;
  readonly open: (guard: ServiceGuard) => Promise<GuardService>;
  readonly reserve: Budget['reserve'];
  readonly costOfModel: CostOfModel;
  /** Called before services are asked. Throws where none may be asked any more. */
  readonly onCalls: () => void;
}

/** A guard, and the texts that its service is asked about. */
export interface Question {
  readonly guard: ActiveGuard;
  readonly service: ServiceUse;
  readonly stage: Stage;
  readonly texts: readonly InspectedText[];
}

/** A question whose cost is reserved. */
export interface ReservedQuestion extends Question {
  readonly calls: readonly (readonly Chunk[])[];
  readonly most: Spending;
  readonly reservation: Reservation;
  /** The record of its calls: at first the most that they can cost. */
  record: LoggedModelCall;
}

/** Throws the error of a limit that has no room. */
export async function reserveQuestion(question: Question, ports: ServicePorts): Promise<ReservedQuestion> {
  const { guard, service, texts } = question;
  const values = texts.map(({ text }) => text);
  const traits = traitsOf(service.guard);
  const calls = chunkTexts(values, traits.limits);
  const usages = calls.map((call) =>
    traits.mostUsage(
      service.guard,
      call.map(({ value }) => value),
    ),
  );
  const most = spendingOf(service.guard, usages, ports.costOfModel);
  const reservation = await ports.reserve(most);
  const record = {
    provider: `guard:${guard.type}`,
    model: guard.name,
    modelVersion: undefined,
    finish: 'interrupted',
    tokensInput: most.tokens,
    tokensOutput: 0,
    costMicrodollars: most.costMicrodollars,
    estimated: true,
    attempts: calls.length,
    latencyMs: 0,
  };
  return { ...question, calls, most, reservation, record };
}
