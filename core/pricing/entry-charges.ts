// AWS's charges for one request as its log entry has them: the formula of docs/costs.md, with what the function knows of the request.
import { sum } from '../text/numbers.ts';
import { ASSUMED, MEASURED } from './call-assumptions.ts';
import {
  type CallPart,
  type InfrastructureUse,
  LOG_WRITES,
  priceOf,
  usageOf,
  useOfCall,
} from './infrastructure-cost.ts';

/** Nanodollars, not rounded. An entry that stands for many requests has the first for each of them, and the second once. */
export interface EntryCharges {
  readonly perRequest: number;
  readonly perEntry: number;
}

export interface AnsweredRequest {
  /** Duration of the function until its line is written. */
  readonly milliseconds: number;
  readonly memoryMegabytes: number;
  readonly hasKey: boolean;
  readonly hasUsername: boolean;
  readonly isError: boolean;
  /** Writes to counters: sent, and to be sent after the answer. */
  readonly limitWrites: number;
  /** Strongly consistent reads of counters in place of such. */
  readonly limitReads: number;
  /** The response cache: not asked, asked, or asked and written afterwards. */
  readonly cache: 'off' | 'read' | 'written';
  /** Where vectors are cached: texts that were looked up, and vectors to be written. */
  readonly vectors?: { readonly read: number; readonly written: number };
  /** Different models that were called, and attempts of all calls. */
  readonly models: number;
  readonly attempts: number;
  /** A run, or an answer of the cache: its version is counted. */
  readonly hasVersion: boolean;
}

type Parts = Readonly<Record<CallPart, InfrastructureUse>>;

/** Parts that are used once for an entry, however many requests it stands for. */
const PER_ENTRY: ReadonlySet<string> = new Set<CallPart>(['log entry', 'usage', 'seals']);

/** The usual call of docs/costs.md in what no function knows: how often calls come, and how many entries share a batch. */
const USUAL = { callsPerSecond: ASSUMED.callsPerSecond, entriesPerBatch: ASSUMED.usageBatch };

export function chargesOf(request: AnsweredRequest): EntryCharges {
  const { hasKey, cache, models, attempts } = request;
  const parts = useOfCall({ ...USUAL, ...request, isHit: cache !== 'written' });
  const lineBytes = models === 0 ? MEASURED.hitLineBytes : MEASURED.modelLineBytes;
  return addUp(
    {
      ...parts,
      'API key': hasKey ? parts['API key'] : {},
      'exact cache': cache === 'off' ? {} : cacheUnits(request, parts['exact cache']),
      ...entryParts(request),
      'log lines': { logBytes: ASSUMED.accessLogBytes },
    },
    lineBytes + attempts * MEASURED.openLineBytes,
  );
}

/** Each vector is an item of its own. */
function cacheUnits({ vectors }: AnsweredRequest, ofAnswer: InfrastructureUse): InfrastructureUse {
  if (vectors === undefined) return ofAnswer;
  return { readUnits: vectors.read, writeUnits: vectors.written * ASSUMED.cacheItemKib };
}

export interface DeniedRequest {
  /** Duration of the authorizer until its line is written. */
  readonly milliseconds: number;
  readonly memoryMegabytes: number;
  readonly hasKey: boolean;
  /** 401: API Gateway charges nothing, and Lambda's runtime writes a line. Any other denial is answered by the execution function. */
  readonly isUnauthorized: boolean;
}

export function chargesOfDenial(request: DeniedRequest): EntryCharges {
  const { milliseconds, memoryMegabytes, hasKey, isUnauthorized } = request;
  const authorizerMs = { milliseconds, memoryMegabytes, limitWrites: 0, limitReads: 0, isHit: true };
  const parts = useOfCall({ ...USUAL, ...authorizerMs });
  const answered = useOfCall({ ...USUAL, ...authorizerMs, milliseconds: ASSUMED.rejectionMs });
  const runtimeBytes = isUnauthorized ? ASSUMED.rejectionLineBytes : 0;
  return addUp(
    {
      ...parts,
      'API Gateway': isUnauthorized ? {} : parts['API Gateway'],
      authorizer: parts['execution function'],
      'execution function': isUnauthorized ? {} : answered['execution function'],
      'API key': hasKey ? parts['API key'] : {},
      'exact cache': {},
      ...entryParts({ hasKey, hasUsername: false, isError: true, models: 0, hasVersion: false }),
      'log lines': { logBytes: ASSUMED.accessLogBytes + runtimeBytes },
    },
    MEASURED.hitLineBytes,
  );
}

/** Writes of the entry with its indexes, and the rows of its organization, neuron, version, models, user and key. */
function entryParts({
  hasKey,
  hasUsername,
  isError,
  models,
  hasVersion,
}: Pick<AnsweredRequest, 'hasKey' | 'hasUsername' | 'isError' | 'models' | 'hasVersion'>): Pick<
  Parts,
  'log entry' | 'usage'
> {
  const rows = 2 + models + Number(hasVersion) + Number(hasKey) + Number(hasUsername);
  return {
    'log entry': { writeUnits: LOG_WRITES + Number(hasUsername) + Number(isError) },
    usage: usageOf(rows, ASSUMED.usageBatch),
  };
}

function addUp(parts: Parts, lineBytes: number): EntryCharges {
  const named = Object.entries(parts);
  const priceOfAll = (some: typeof named) => sum(some.map(([, use]) => priceOf(use)));
  return {
    perRequest: priceOfAll(named.filter(([part]) => !PER_ENTRY.has(part))),
    perEntry: priceOfAll(named.filter(([part]) => PER_ENTRY.has(part))) + priceOf({ logBytes: lineBytes }),
  };
}
