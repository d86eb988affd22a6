// Asks one service about texts: within its time, through its circuit, and booked by what it used.
import { mapAtOnce } from '../../async/at-once.ts';
import { firstAborted, untilAborted, within } from '../../async/race.ts';
import { ServiceError, toServiceError } from '../../contract/service-error.ts';
import type { Spending } from '../../limits/budget.ts';
import {
  GuardFailure,
  type GuardFailureKind,
  type GuardVerdict,
  type InspectedText,
  MAY_PASS,
  type ServiceFind,
} from '../../ports/guards.ts';
import { digestOfParts } from '../../text/digest.ts';
import { spendingOf } from './charge.ts';
import type { Chunk } from './chunks.ts';
import type { Question, ReservedQuestion, ServicePorts } from './question.ts';

/** `finds` are of whole texts. `failure`: the service gave no verdict; `error` then ends the request, unless settings let it pass. */
export interface Reply {
  readonly isBlocked: boolean;
  readonly finds: readonly ServiceFind[];
  readonly failure?: { readonly notJudged: string; readonly error: ServiceError | undefined };
  readonly ms: number;
}

/** Never rejects. */
export async function ask(question: ReservedQuestion, ports: ServicePorts): Promise<Reply> {
  const { clock } = ports;
  const startedMs = clock.monotonicMs();
  const answered = await askAll(question, ports).catch((thrown: unknown) => toServiceError(thrown));
  const ms = clock.monotonicMs() - startedMs;
  const verdicts = Array.isArray(answered) ? (answered as readonly GuardVerdict[]) : undefined;
  const failure = verdicts === undefined ? failureOf(answered, question) : undefined;
  const spent =
    verdicts === undefined
      ? usedBy(answered, question)
      : spendingOf(
          question.service.guard,
          verdicts.map(({ usage }) => usage),
          ports.costOfModel,
        );
  question.reservation.settle(spent);
  const isBlocked = verdicts?.some(({ verdict }) => verdict === 'block') === true;
  question.record = {
    ...question.record,
    finish: failure?.notJudged ?? (isBlocked ? 'block' : 'pass'),
    tokensInput: spent.tokens,
    costMicrodollars: spent.costMicrodollars,
    estimated: failure === undefined ? verdicts?.some(isEstimated) === true : spent !== NOTHING,
    latencyMs: ms,
  };
  const finds = (verdicts ?? []).flatMap((verdict, index) =>
    wholeFinds(verdict, question.calls[index] ?? []),
  );
  return { isBlocked, finds, ...(failure === undefined ? {} : { failure }), ms };
}

function isEstimated({ usage }: GuardVerdict): boolean {
  return usage.tokens?.isEstimated === true;
}

/** Calls of one guard at once: a long conversation is no flood of requests. */
const AT_ONCE = 8;

type Failed = GuardFailure | ServiceError;

async function askAll(question: ReservedQuestion, ports: ServicePorts): Promise<GuardVerdict[] | Failed> {
  const { guard, service, stage, texts, calls } = question;
  const target = `guard ${guard.name}`;
  const input = () => digestOfParts(texts.map(({ text }) => text));
  const waitMs = ports.breakers.retryAfterMs(target, input);
  if (waitMs > 0) return unavailable(guard.name, 'left alone after failures', waitMs);
  const work = async (late: AbortSignal): Promise<GuardVerdict[]> => {
    const over = new AbortController();
    const { signal, end } = firstAborted([late, ports.deadline.signal, over.signal]);
    try {
      const asked = await ports.open(service.guard);
      return await mapAtOnce(calls, AT_ONCE, (call) =>
        asked.inspect({ stage, texts: call.map((chunk) => toPart(chunk, texts)), signal }),
      );
    } finally {
      // One part that failed decides: the others are not waited for, and must not go on unbounded.
      over.abort();
      end();
    }
  };
  try {
    const bounded = within(ports.clock, service.guard.timeout, work);
    const verdicts = await untilAborted(ports.deadline.signal, bounded);
    ports.breakers.succeeded(target);
    return verdicts;
  } catch (thrown) {
    const failure = toFailed(thrown);
    if (failure instanceof GuardFailure && MAY_PASS.has(failure.kind))
      ports.breakers.failed(target, OF_INPUT.has(failure.kind) ? input : undefined);
    return failure;
  }
}

/** Failures that a text may cause: no caller closes a guard to others by repeating one. */
const OF_INPUT: ReadonlySet<GuardFailureKind> = new Set(['timeout', 'connection', 'server_error']);

function toPart({ text, value }: Chunk, texts: readonly InspectedText[]): InspectedText {
  return { role: texts[text]?.role ?? 'user', text: value };
}

/** Time that is up is an error of the race, before the adapter has one of its own. */
function toFailed(thrown: unknown): Failed {
  if (thrown instanceof GuardFailure || thrown instanceof ServiceError) return thrown;
  const isLate = thrown instanceof Error && thrown.message.startsWith('no answer within ');
  return isLate ? new GuardFailure('timeout') : toServiceError(thrown);
}

/** Failures before a service has worked: such a call has cost nothing. */
const UNUSED: ReadonlySet<GuardFailureKind> = new Set(['rate_limited', 'rejected']);
const NOTHING: Spending = { tokens: 0, costMicrodollars: 0 };

/** A service that failed otherwise may have worked: then the most is booked. */
function usedBy(failed: Failed | readonly GuardVerdict[], { calls, most }: ReservedQuestion): Spending {
  if (failed instanceof GuardFailure) {
    const isUnused = UNUSED.has(failed.kind) && !failed.hasUsed && calls.length === 1;
    return isUnused ? NOTHING : most;
  }
  const isDeadline = failed instanceof ServiceError && failed.code === 'deadline_exceeded';
  return isDeadline ? most : NOTHING;
}

function failureOf(
  failed: Failed | readonly GuardVerdict[],
  { guard, service }: Question,
): NonNullable<Reply['failure']> {
  if (failed instanceof GuardFailure) {
    const { kind, status } = failed;
    const what = status === undefined ? kind : `${kind} (HTTP ${status})`;
    if (!MAY_PASS.has(kind)) {
      const reason = `the guard ${guard.name} cannot be asked: ${what}`;
      return { notJudged: kind, error: new ServiceError('configuration', { reason }) };
    }
    const error = service.onFailure === 'open' ? undefined : unavailable(guard.name, what);
    return { notJudged: kind, error };
  }
  const error = toServiceError(failed);
  if (error.code !== 'guard_unavailable') return { notJudged: error.code, error };
  // An open circuit stands for the failures that opened it.
  return { notJudged: 'circuit_open', error: service.onFailure === 'open' ? undefined : error };
}

/** When a caller may come again, where nothing says how long it lasts. */
const RETRY_MS = 1_000;

function unavailable(name: string, what: string, retryAfterMs = RETRY_MS): ServiceError {
  return new ServiceError('guard_unavailable', { reason: `the guard ${name}: ${what}`, retryAfterMs });
}

/** Finds of the parts as finds of the whole texts; one that two parts share counts once. */
function wholeFinds({ finds }: GuardVerdict, call: readonly Chunk[]): readonly ServiceFind[] {
  return finds.flatMap(({ entity, text, span }) => {
    const chunk = call[text];
    if (chunk === undefined) return [];
    if (span === undefined) return [{ entity, text: chunk.text }];
    const { from } = chunk;
    return [{ entity, text: chunk.text, span: { start: span.start + from, end: span.end + from } }];
  });
}
