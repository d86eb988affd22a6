// AWS's charges for a call, part by part: the formula of docs/costs.md.
import { INDEXES } from '../contract/tables.ts';
import { ASSUMED, GATHERING_SECONDS, MARK_SLOT_SECONDS, MAX_BATCH, MEASURED } from './call-assumptions.ts';
import { INFRASTRUCTURE_PRICES as PRICES } from './infrastructure-prices.ts';

/** Amounts of what AWS bills by use; shares of a batch are fractions. */
export interface InfrastructureUse {
  readonly apiRequests?: number;
  readonly lambdaRuns?: number;
  readonly lambdaGibSeconds?: number;
  readonly writeUnits?: number;
  readonly readUnits?: number;
  readonly logBytes?: number;
  readonly traces?: number;
}

/** Nanodollars, not rounded. */
export function priceOf(use: InfrastructureUse): number {
  return (
    (use.apiRequests ?? 0) * PRICES.apiRequest +
    (use.lambdaRuns ?? 0) * PRICES.lambdaRun +
    (use.lambdaGibSeconds ?? 0) * PRICES.lambdaGibSecond +
    (use.writeUnits ?? 0) * PRICES.writeUnit +
    (use.readUnits ?? 0) * PRICES.readUnit +
    (use.logBytes ?? 0) * PRICES.logByte +
    (use.traces ?? 0) * PRICES.trace
  );
}

/** A call with an API key of a neuron with one limit and an exact cache. */
export interface PricedCall {
  /** Answered from the exact cache. */
  readonly isHit: boolean;
  /** Duration of the execution function. */
  readonly milliseconds: number;
  readonly memoryMegabytes: number;
  /** Two where a limit is settled (tokens, cost), one for a limit of requests. */
  readonly limitWrites: number;
  /** Where it is answered from the cache, limits of tokens and cost are read alone: one for each such counter. */
  readonly limitReads: number;
  /** Calls of the stage, spread evenly: a sampling rule may take the first of each second. */
  readonly callsPerSecond: number;
  /** @default that of prod */
  readonly sampling?: SamplingRule;
  /** Entries of the log that share a batch. */
  readonly entriesPerBatch: number;
}

/** Use of limits by a call that is answered from the cache, by the writes of a run: one that is settled is only read. */
export function limitsOfHit(limitWrites: number): Pick<PricedCall, 'limitWrites' | 'limitReads'> {
  return limitWrites > 1 ? { limitWrites: 0, limitReads: 1 } : { limitWrites, limitReads: 0 };
}

export const CALL_PARTS = [
  'API Gateway',
  'authorizer',
  'execution function',
  'API key',
  'limits',
  'exact cache',
  'log entry',
  'usage',
  'seals',
  'log lines',
  'traces',
] as const;
export type CallPart = (typeof CALL_PARTS)[number];

export function useOfCall(call: PricedCall): Readonly<Record<CallPart, InfrastructureUse>> {
  const { isHit, milliseconds, memoryMegabytes, limitWrites, limitReads, callsPerSecond, entriesPerBatch } =
    call;
  const run = (ms: number) => ({ lambdaRuns: 1, lambdaGibSeconds: (ms / 1_000) * (memoryMegabytes / 1_024) });
  return {
    'API Gateway': { apiRequests: 1 },
    authorizer: run(ASSUMED.authorizerMs),
    'execution function': run(milliseconds),
    'API key': { readUnits: 1 },
    limits: { writeUnits: limitWrites, readUnits: limitReads },
    'exact cache': { readUnits: CACHE_READ_UNITS, writeUnits: isHit ? 0 : ASSUMED.cacheItemKib },
    'log entry': { writeUnits: LOG_WRITES },
    usage: usageOf(isHit ? 4 : 5, entriesPerBatch),
    seals: { writeUnits: sealUnits(entriesPerBatch) / entriesPerBatch },
    'log lines': { logBytes: lineBytes(isHit) },
    traces: { traces: tracedShare(callsPerSecond, call.sampling) },
  };
}

/** Nanodollars of a call, not rounded. */
export function priceOfCall(call: PricedCall): number {
  return Object.values(useOfCall(call)).reduce((total, use) => total + priceOf(use), 0);
}

/** Eventually consistent. */
const CACHE_READ_UNITS = 0.5;

/** An entry of up to 1 KiB, and a write for each index that holds a success without a username. */
export const LOG_WRITES = 1 + [INDEXES.logs.byOrganization, INDEXES.logs.byExecution].length;

/** Bytes of the access log and of the lines of the execution function: a model call has one before the model is called. */
export function lineBytes(isHit: boolean): number {
  const { hitLineBytes, modelLineBytes, openLineBytes } = MEASURED;
  return ASSUMED.accessLogBytes + (isHit ? hitLineBytes : openLineBytes + modelLineBytes);
}

/**
 * Items that hold the marks of a batch: one, and another for each slot that begins while its entries come. Each stays below 1 KiB,
 * which holds about 50 marks: 25 calls a second.
 */
export function markItems(batch: number): number {
  return 1 + (GATHERING_SECONDS * (batch - 1)) / batch / MARK_SLOT_SECONDS;
}

/** The share of a call in the items of marks and rows of its batch. Writes of transactions take twice the units. */
export function usageOf(rows: number, batch: number): InfrastructureUse {
  return {
    writeUnits: (2 * (markItems(batch) + rows)) / batch,
    lambdaRuns: 1 / batch,
    lambdaGibSeconds: ASSUMED.rollupMs / 1_000 / batch,
  };
}

/** Write units of a batch: one seal with a line for each entry, and one head, in the same transaction. */
export function sealUnits(batch: number): number {
  return 2 * (Math.ceil((MEASURED.sealBytes + batch * MEASURED.sealLineBytes) / 1_024) + 1);
}

/** Entries that the stream gathers for a batch when calls come evenly: the first, and those of the seconds after it. */
export function entriesPerBatch(callsPerSecond: number): number {
  return Math.min(MAX_BATCH, 1 + GATHERING_SECONDS * callsPerSecond);
}

/** A sampling rule of X-Ray: so many requests of each second, none or one, and a share of the others, from 0 to 1. */
export interface SamplingRule {
  readonly perSecond: 0 | 1;
  readonly rate: number;
}

/** Where nobody made another one (docs.aws.amazon.com/lambda/latest/dg/services-xray.html). */
export const DEFAULT_SAMPLING: SamplingRule = { perSecond: 1, rate: 0.05 };

/** As prod ships (lib/stages). */
export const PROD_SAMPLING: SamplingRule = { perSecond: 0, rate: 0.01 };

/** Share of the calls that X-Ray traces. Of calls that come at random at a rate, `(1 − e^−r) / r` are the first of their second. */
export function tracedShare(
  callsPerSecond: number,
  { perSecond, rate }: SamplingRule = PROD_SAMPLING,
): number {
  const ofFirst = callsPerSecond === 0 ? 1 : -Math.expm1(-callsPerSecond) / callsPerSecond;
  const first = perSecond * ofFirst;
  return first + rate * (1 - first);
}
