// Builds the entry of one request from the facts known when its answer is ready.

import { type ErrorCode, statusOf } from '../contract/error-codes.ts';
import type {
  Authentication,
  CacheFailure,
  CacheResult,
  LogEntry,
  LoggedModelCall,
  LoggedStep,
  LogOutcome,
} from '../contract/log-entry.ts';
import type { TracedStep } from '../flow/step.ts';
import type { EntryCharges } from '../pricing/entry-charges.ts';
import type { Tags } from '../settings/names/tags.ts';
import { sum } from '../text/numbers.ts';
import { digestSession, type KeepText } from './bodies.ts';
import type { LineLimits } from './line.ts';

export interface LogSubject {
  readonly organization: string;
  readonly organizationId: string;
  readonly neuron: string;
  readonly neuronId: string;
  readonly retentionMs: number;
}

/** The caller, as far as access control identified it. */
interface LogCaller {
  readonly sourceIp: string;
  readonly refererHost: string | undefined;
  readonly username?: string | undefined;
  readonly keyId?: string | undefined;
  readonly authentication?: Authentication | undefined;
}

/** The results of a run; absent for a request that never ran. */
interface LogRun {
  readonly version: string;
  readonly rollout?: LogEntry['rollout'];
  readonly cache: CacheResult;
  readonly cacheDistance?: number | undefined;
  readonly cacheSource?: string | undefined;
  readonly cacheFailures?: readonly CacheFailure[] | undefined;
  readonly savingsMicrodollars?: number | undefined;
  readonly executionStopped: boolean;
  readonly output: string | undefined;
  /** With texts in full: `buildEntry` shortens them. */
  readonly trace: readonly TracedStep[];
  readonly modelCalls: readonly LoggedModelCall[];
}

/** The version and arm that a rollout chose for a request. */
interface ChosenSide {
  readonly version: string;
  readonly rollout: NonNullable<LogEntry['rollout']>;
}

export interface EntryFacts {
  readonly executionId: string;
  readonly timeMs: number;
  /** The caller's own. */
  readonly traceparent?: string | undefined;
  readonly surface?: string | undefined;
  readonly clientKind?: string | undefined;
  /** As the caller named it. Only its digest is kept. */
  readonly session?: string | undefined;
  readonly subject: LogSubject;
  readonly caller: LogCaller;
  /** Undefined for a 200. */
  readonly code: ErrorCode | undefined;
  /** The status of the answer, where it differs from that of the code. */
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
  readonly latencyMs: number;
  /** Names in the form of `toLeftOutName`. */
  readonly leftOut?: readonly string[];
  readonly tags?: Tags | undefined;
  readonly guards?: LogEntry['guards'] | undefined;
  readonly input?: string | undefined;
  readonly run?: LogRun | undefined;
  /** During a rollout: where the request failed before it ran, that counts for its side. */
  readonly side?: ChosenSide | undefined;
  /** The execution whose answer was repeated, and whether it was stopped. */
  readonly replay?: { readonly executionId: string; readonly executionStopped: boolean } | undefined;
  /** A run that nobody gets the answer of. */
  readonly shadow?: LogEntry['shadow'];
  readonly count?: number;
  /** AWS's charges; of a flood those of its last request. */
  readonly charges?: EntryCharges | undefined;
  /** Only for the line. */
  readonly limits?: LineLimits | undefined;
}

/** Builds the entry; texts are kept by `keepText`, and of a session its digest where there is a key. */
export function buildEntry(facts: EntryFacts, keepText: KeepText, key?: string): LogEntry {
  const { subject, caller, run, replay } = facts;
  const calls = run?.modelCalls ?? [];
  const { retentionMs, ...names } = subject;
  const keepDecision = createKeepDecision();
  return {
    executionId: facts.executionId,
    timeMs: facts.timeMs,
    ...names,
    ...versionOf(facts),
    ...(facts.shadow === undefined ? {} : { shadow: facts.shadow }),
    ...branchOf(run?.trace ?? []),
    outcome: outcomeOf(facts.code, (run ?? replay)?.executionStopped ?? false),
    status: facts.status ?? (facts.code === undefined ? 200 : statusOf(facts.code)),
    code: facts.code,
    // Lists show the reason, and have no column for `replayOf`.
    reason: replay === undefined ? facts.reason : `replay of ${replay.executionId}`,
    sourceIp: caller.sourceIp,
    refererHost: caller.refererHost,
    username: caller.username,
    keyId: caller.keyId,
    authentication: caller.authentication,
    ...(facts.surface === undefined ? {} : { surface: facts.surface }),
    ...(facts.clientKind === undefined ? {} : { clientKind: facts.clientKind }),
    ...(facts.session === undefined || key === undefined
      ? {}
      : { session: digestSession(facts.session, key) }),
    ...(facts.traceparent === undefined ? {} : { traceparent: facts.traceparent }),
    ...(replay === undefined ? {} : { replayOf: replay.executionId }),
    ...(facts.leftOut === undefined || facts.leftOut.length === 0 ? {} : { leftOut: facts.leftOut }),
    ...(facts.tags === undefined ? {} : { tags: facts.tags }),
    ...(facts.guards === undefined || facts.guards.length === 0 ? {} : { guards: facts.guards }),
    cache: run?.cache,
    cacheDistance: run?.cacheDistance,
    cacheSource: run?.cacheSource,
    cacheFailures: run?.cacheFailures,
    latencyMs: facts.latencyMs,
    ownLatencyMs: Math.max(0, facts.latencyMs - sum(calls.map(({ latencyMs }) => latencyMs))),
    tokensInput: sum(calls.map(({ tokensInput }) => tokensInput)),
    tokensOutput: sum(calls.map(({ tokensOutput }) => tokensOutput)),
    costMicrodollars: totalCost(calls),
    savingsMicrodollars: run?.savingsMicrodollars ?? 0,
    ...renderCharges(facts),
    modelCalls: calls,
    trace: (run?.trace ?? []).map((step) => ({ ...keepStep(step, keepText), ...keepDecision(step) })),
    input: facts.input === undefined ? undefined : keepText(facts.input),
    output: run?.output === undefined ? undefined : keepText(run.output),
    count: facts.count ?? 1,
    expiresAt: Math.floor((facts.timeMs + retentionMs) / 1000),
    restored: false,
  };
}

/** Without a run that of the side that failed, for a rejected request none. */
function versionOf({ run, side, code, replay }: EntryFacts): Pick<LogEntry, 'version' | 'rollout'> {
  const isFailed = replay === undefined && outcomeOf(code, false) === 'failed';
  const { version, rollout } = run ?? (isFailed ? side : undefined) ?? {};
  return { version, ...(rollout && { rollout }) };
}

/** Rows of usage have its name: of a flow with more splits the first ten. */
const MAX_SPLITS = 10;

function branchOf(trace: readonly TracedStep[]): Pick<LogEntry, 'branch'> {
  const drawn = trace.flatMap(({ type, decision }) => (type === 'randomizedSplit' ? (decision ?? []) : []));
  return drawn.length === 0 ? {} : { branch: drawn.slice(0, MAX_SPLITS).join('.') };
}

/** Rounded to an integer, which is never negative; `count` requests share one entry. */
function renderCharges({ charges, count = 1 }: EntryFacts): Pick<LogEntry, 'infrastructureNanodollars'> {
  if (charges === undefined) return {};
  return { infrastructureNanodollars: Math.round(charges.perRequest * count + charges.perEntry) };
}

/** Without a code: a run, stopped or not. Maintenance counts as a rejection; every other 5xx is a failure of ours or of a provider. */
export function outcomeOf(code: ErrorCode | undefined, executionStopped: boolean): LogOutcome {
  if (code === undefined) return executionStopped ? 'stopped' : 'success';
  if (code === 'maintenance') return 'refused';
  return statusOf(code) >= 500 ? 'failed' : 'refused';
}

function keepStep({ input, output, ...step }: TracedStep, keepText: KeepText): LoggedStep {
  const keptInput = input === undefined ? undefined : keepText(input);
  const keptOutput = output === undefined ? undefined : keepText(output);
  return {
    type: step.type,
    atMs: step.atMs,
    ...(keptInput === undefined ? {} : { input: keptInput }),
    ...(keptOutput === undefined ? {} : { output: keptOutput }),
  };
}

/** The sum of the calls' costs; null as soon as one of them is unknown. */
function totalCost(calls: readonly LoggedModelCall[]): number | null {
  let total = 0;
  for (const { costMicrodollars } of calls) {
    if (costMicrodollars === null) return null;
    total += costMicrodollars;
  }
  return total;
}

interface StepDecision {
  readonly decision?: string | undefined;
  readonly matched?: readonly string[] | undefined;
}

/** The same, as stored in an entry. */
interface LoggedDecision {
  readonly decision?: string;
  readonly matched?: readonly string[];
}

/** UTF-16 units of all decisions and patterns of one entry: a line of CloudWatch Logs ends at 256 KB. */
const DECISIONS_LENGTH = 40_000;
const MAX_DECISION_LENGTH = 1_000;

/** A keeper for one entry, in UTF-8 that DynamoDB takes, wherever it was cut: decisions are cut, and patterns left out once the budget is spent. Every step stays. */
export function createKeepDecision(): (step: StepDecision) => LoggedDecision {
  let left = DECISIONS_LENGTH;
  return ({ decision, matched }) => {
    const kept = decision?.slice(0, Math.max(8, Math.min(MAX_DECISION_LENGTH, left))).toWellFormed();
    left -= kept?.length ?? 0;
    const size = (matched ?? []).reduce((sum, pattern) => sum + pattern.length, 0);
    const holds = matched !== undefined && size <= left;
    if (holds) left -= size;
    return {
      ...(kept === undefined ? {} : { decision: kept }),
      ...(holds ? { matched: matched.map((pattern) => pattern.toWellFormed()) } : {}),
    };
  };
}
