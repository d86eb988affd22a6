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
  readonly finds: readonly ServiceFind[];
  /** Indices of texts: the last one of each call that the service blocked without a find. */
  readonly unnamed: readonly number[];
  readonly failure?: { readonly notJudged: string; readonly error: ServiceError | undefined };
  readonly ms: number;
}

/** Never rejects. Finds of a call count, also where another one failed. */
export async function ask(question: ReservedQuestion, ports: ServicePorts): Promise<Reply> {
  const { clock } = ports;
  const startedMs = clock.monotonicMs();
  const verdicts: Verdicts = question.calls.map(() => undefined);
  const failed = await askAll(question, verdicts, ports).catch((thrown: unknown) => toServiceError(thrown));
  const ms = clock.monotonicMs() - startedMs;
  const failure = failed === undefined ? undefined : failureOf(failed, question);
  const answered = verdicts.flatMap((verdict) => verdict ?? []);
  const spent =
    failed === undefined
      ? spendingOf(
          question.service.guard,
          answered.map(({ usage }) => usage),
          ports.costOfModel,
        )
      : usedBy(failed, question);
  question.reservation.settle(spent);
  const isBlocked = answered.some(({ verdict }) => verdict === 'block');
  question.record = {
    ...question.record,
    finish: failure?.notJudged ?? (isBlocked ? 'block' : 'pass'),
    tokensInput: spent.tokens,
    costMicrodollars: spent.costMicrodollars,
    estimated: failure === undefined ? answered.some(isEstimated) : spent !== NOTHING,
    latencyMs: ms,
  };
  const inCalls = <One>(read: (verdict: GuardVerdict, call: readonly Chunk[]) => readonly One[]) =>
    verdicts.flatMap((verdict, index) =>
      verdict === undefined ? [] : read(verdict, question.calls[index] ?? []),
    );
  return {
    finds: inCalls(wholeFinds),
    unnamed: inCalls(unnamedIn),
    ...(failure === undefined ? {} : { failure }),
    ms,
  };
}

/** By calls; undefined for those without one yet. */
type Verdicts = (GuardVerdict | undefined)[];

/** A find of another call does not stand for such a block. */
function unnamedIn({ verdict, finds }: GuardVerdict, call: readonly Chunk[]): readonly number[] {
  const last = call.at(-1);
  return verdict === 'block' && finds.length === 0 && last !== undefined ? [last.text] : [];
}

function isEstimated({ usage }: GuardVerdict): boolean {
  return usage.tokens?.isEstimated === true;
}

/** Calls of one guard at once: a long conversation is no flood of requests. */
const AT_ONCE = 8;

type Failed = GuardFailure | ServiceError;

/** Fills in `verdicts` as they come. Gives the failure of the first call that has none. */
async function askAll(
  question: ReservedQuestion,
  verdicts: Verdicts,
  ports: ServicePorts,
): Promise<Failed | undefined> {
  const { guard, service, stage, texts, calls } = question;
  const target = `guard ${guard.name}`;
  const input = () => digestOfParts(texts.map(({ text }) => text));
  const waitMs = ports.breakers.retryAfterMs(target, input);
  if (waitMs > 0) return unavailable(guard.name, 'left alone after failures', waitMs);
  const work = async (late: AbortSignal): Promise<void> => {
    const over = new AbortController();
    const { signal, end } = firstAborted([late, ports.deadline.signal, over.signal]);
    try {
      const asked = await ports.open(service.guard);
      await mapAtOnce([...calls.entries()], AT_ONCE, async ([index, call]) => {
        const shown = call.map((chunk) => toPart(chunk, texts));
        verdicts[index] = await asked.inspect({ stage, texts: shown, signal });
      });
    } finally {
      // One part that failed decides: the others are not waited for, and must not go on unbounded.
      over.abort();
      end();
    }
  };
  try {
    const bounded = within(ports.clock, service.guard.timeout, work);
    await untilAborted(ports.deadline.signal, bounded);
    ports.breakers.succeeded(target);
    return undefined;
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
export const NOTHING: Spending = { tokens: 0, costMicrodollars: 0 };

/** A service that failed otherwise may have worked: then the most is booked. */
function usedBy(failed: Failed, { calls, most }: ReservedQuestion): Spending {
  if (failed instanceof GuardFailure) {
    const isUnused = UNUSED.has(failed.kind) && !failed.hasUsed && calls.length === 1;
    return isUnused ? NOTHING : most;
  }
  const isDeadline = failed instanceof ServiceError && failed.code === 'deadline_exceeded';
  return isDeadline ? most : NOTHING;
}

function failureOf(failed: Failed, { guard, service }: Question): NonNullable<Reply['failure']> {
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
