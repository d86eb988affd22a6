// Gathers the facts of a request that its log entry is built from.
import type { ServiceError } from '../../../core/contract/service-error.ts';
import { describeAnswer, describeInput } from '../../../core/flow/describe-messages.ts';
import type { FlowEnd } from '../../../core/flow/step.ts';
import type { Budget } from '../../../core/limits/budget.ts';
import type { EntryFacts } from '../../../core/logs/build-entry.ts';
import { clientKindOf } from '../../../core/logs/client-kind.ts';
import { hasGuards } from '../../../core/settings/guards/has-guards.ts';
import { joinTags } from '../../../core/settings/names/tags.ts';
import { surfaceOf } from '../../../core/surfaces/registry.ts';
import type { Run } from '../run.ts';
import { type ModelCalls, toCharges } from './charges.ts';

/** `settlements`: writes to counters after the answer. Undefined for a neuron that does not exist: such calls are in the access log only. */
export function toFacts(
  run: Readonly<Run>,
  endedMs: number,
  error: ServiceError | undefined,
  settlements = 0,
): EntryFacts | undefined {
  const { request, subject, admission, budget, invocation } = run;
  if (subject === undefined) return undefined;
  const modelCalls = modelCallsOf(run);
  const logRun = toLogRun(run, modelCalls);
  const input = invocation === undefined || isUninspected(run) ? undefined : describeInput(invocation);
  const isError = error !== undefined;
  return {
    executionId: request.executionId,
    timeMs: request.timeMs,
    traceparent: request.traceparent,
    surface: request.surface,
    clientKind: clientKindOf(request.userAgent),
    session: request.session ?? invocation?.session,
    subject,
    caller: {
      sourceIp: request.sourceIp,
      refererHost: request.refererHost,
      username: admission?.username,
      keyId: admission?.keyId ?? run.provenKeyId,
      authentication: admission?.authentication,
    },
    code: error?.code,
    status: error && surfaceOf(request.surface).statusOf(error.code),
    reason: error?.reason ?? uncounted(budget),
    latencyMs: endedMs - run.startedMs,
    leftOut: run.leftOut?.names() ?? [],
    tags: joinTags(run.settings?.neuron.tags, admission?.keyGrants?.tags, run.tags),
    input,
    guards: run.guards?.found(),
    ...(run.shadow === undefined ? {} : { shadow: run.shadow }),
    run: logRun,
    side: run.side,
    charges: toCharges(run, { endedMs, isError, settlements, modelCalls }),
  };
}

/** Every model and guard by a service that was called: for the request, for the embedding of the lookup, then by the flow. Without a result, each attempt is a call. */
export function modelCallsOf({
  lookup,
  result,
  guards,
  attempts = [],
}: Partial<Pick<Run, 'lookup' | 'result' | 'guards' | 'attempts'>>): ModelCalls {
  const embedding = lookup?.embedding;
  return [
    ...(guards?.services?.calls() ?? []),
    ...(embedding === undefined ? [] : [embedding]),
    ...(result?.modelCalls ?? attempts),
  ];
}

/** True for a request whose texts its guards have yet to look at, those by services among them: until then they are in no log. */
function isUninspected({
  settings,
  guards,
  isJudged,
}: Pick<Run, 'settings' | 'guards' | 'isJudged'>): boolean {
  if (guards === undefined) return settings !== undefined && hasGuards(settings);
  return guards.services?.mayChange === true && isJudged !== true;
}

/** Undefined for a request that was rejected before it was answered from the cache or called a model. */
function toLogRun(
  { result, version, lookup, caching }: Readonly<Run>,
  modelCalls: ModelCalls,
): EntryFacts['run'] {
  const found = lookup?.found;
  const isUntouched = result === undefined && found === undefined && modelCalls.length === 0;
  if (version === undefined || isUntouched) return undefined;
  return {
    version: version.id,
    ...(version.rollout && { rollout: version.rollout }),
    cache: lookup?.result ?? (caching?.plan.kind === 'use' ? 'miss' : 'off'),
    cacheDistance: lookup?.distance,
    cacheSource: found?.executionId,
    cacheFailures: lookup?.failures.length === 0 ? undefined : lookup?.failures,
    savingsMicrodollars: lookup?.savedMicrodollars ?? found?.costMicrodollars ?? 0,
    executionStopped: result?.kind === 'done' && result.stopped,
    output: result?.kind === 'done' ? loggedOutput(result) : found?.output,
    trace: result?.trace ?? [],
    modelCalls,
  };
}

function loggedOutput({ output, toolCalls = [] }: FlowEnd & { kind: 'done' }): string | undefined {
  return output === undefined ? undefined : describeAnswer(output, toolCalls);
}

function uncounted(budget: Budget | undefined): string | undefined {
  const isWhole = budget === undefined || budget.incidents().countersUnavailable === 0;
  return isWhole ? undefined : 'limits were not counted: the counters table failed';
}
