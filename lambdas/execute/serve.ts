// Serves a request: the list of its steps. Every way out of the list leads through `endRun`.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { lazy } from '../../core/async/lazy.ts';
import { untilAborted } from '../../core/async/race.ts';
import { ServiceError, toServiceError } from '../../core/contract/service-error.ts';
import type { Budget } from '../../core/limits/budget.ts';
import { requireOpen } from '../../core/settings/usable-settings.ts';
import { loadSurface } from '../../core/surfaces/registry.ts';
import { answerStreamed, answerWhole } from './answer.ts';
import { endRun } from './end/end-run.ts';
import { loadFeedback, withFeedbackToken } from './feedback/index.ts';
import { guardRequest, lookUpGuarded, restoreReplay } from './guards/index.ts';
import { leaseKey, replayInstead } from './idempotency/index.ts';
import type { Call, ExecutionPorts, Outcome, Run, ServedAnswer } from './run.ts';
import { admitCaller } from './steps/caller.ts';
import { readInvocation } from './steps/invocation.ts';
import { admit } from './steps/limits.ts';
import { recordAttempts } from './steps/line.ts';
import { openRun, rejectOld } from './steps/open-run.ts';
import { chooseBudget, type KnownCall, openCountedBudget, prepare, rejectBlocked } from './steps/prepare.ts';
import { lookUpAnswer, startCacheRead } from './steps/response-cache.ts';
import { readSettings, startRunDeadline, toSubject, useSettings } from './steps/settings.ts';
import { findVersion } from './steps/version.ts';

const loadProtocol = lazy(() => import('./steps/protocol.ts'));
/** Access control is in it, which only a call of an organization's URL meets here. */
const loadFindNeuron = lazy(() => import('./steps/find-neuron.ts'));
const loadModels = lazy(() => import('./steps/models.ts'));
const loadCounting = lazy(() => import('./steps/count-tokens.ts'));

/** A request ends with the error that a step throws. `timeout` aborts shortly before Lambda ends the function. */
export async function serve(
  event: APIGatewayProxyEvent,
  timeout: AbortSignal,
  ports: ExecutionPorts,
): Promise<ServedAnswer> {
  const run = openRun(event, ports);
  await loadSurface(run.request.surface);
  try {
    return await takeSteps(run, timeout, ports);
  } catch (thrown) {
    const isTimeout = timeout.aborted && thrown === timeout.reason;
    const error = isTimeout ? new ServiceError('deadline_exceeded') : toServiceError(thrown);
    return endRun(run, { kind: 'error', error }, ports);
  }
}

/** Each step's result is on the record before the next step begins: wherever the list ends, `endRun` has it. */
async function takeSteps(run: Run, timeout: AbortSignal, ports: ExecutionPorts): Promise<ServedAnswer> {
  if (run.request.ofOrganization !== undefined) rejectOld(run.request, ports);
  const early = await answerWithoutNeuron(run, ports);
  if (early !== undefined) return endRun(run, early, ports);
  if (run.request.ofOrganization !== undefined) {
    const { findNeuron } = await loadFindNeuron();
    await findNeuron(run, ports);
  }
  const { request, startedMs } = run;
  const stored = await readSettings(request, ports);
  run.subject = toSubject(request, stored);
  run.admission = await admitCaller(run, stored, ports);
  rejectOld(request, ports);
  run.settings = useSettings(stored, run.admission);
  run.deadline = startRunDeadline(run.settings, startedMs, ports);
  requireOpen(run.settings, run.admission.keyGrants, request.timeMs);
  rejectBlocked(run.settings, run.admission, request);
  const { subject, admission, settings, deadline } = run;
  const known = { request, admission, settings, deadline };
  // The caller's. `prepare` opens another for an end user whom the body names, and `chooseBudget` for an answer from the cache.
  run.budget = openCountedBudget(run, known, ports);
  const other = await answerWithoutRun({ ...known, startedMs, subject }, run.budget, ports);
  if (other !== undefined) return endRun(run, other, ports);
  const prepared = await prepare(run, known, run.budget, ports).catch((rejection: unknown) =>
    replayInstead(rejection, known, ports),
  );
  if (prepared.kind === 'replay') return endReplay(run, prepared, known, ports);
  // Before `admit`: a repeated request is replayed, and counts no second time.
  const leased = await leaseKey(known, ports);
  if (leased?.kind === 'replay') return endReplay(run, leased, known, ports);
  run.lease = leased;
  const { invocation, version, leftOut } = prepared;
  const read: Call = { ...known, ...prepared, startedMs, subject, invocation, version, leftOut };
  const call = await guardRequest(run, read, ports);
  const caching = startCacheRead(call, ports);
  run.caching = caching;
  const budget = await chooseBudget(run, call, prepared.budget, ports);
  // Why no limit is exceeded: core/limits/reserve.ts. From here on each attempt is on the record before it is made, and none is made once
  // the request has ended.
  const admitted = recordAttempts(run, await admit(call, budget, ports), ports);
  const looked = await lookUpGuarded(run, admitted, caching.exact, (asked) =>
    lookUpAnswer(asked, caching, ports),
  );
  const ready = await withFeedbackToken(looked, ports);
  run.lookup = ready.lookup;
  // Those of the lookup's embedding have ended, and are a call of the lookup by now.
  run.attempts = [];
  timeout.throwIfAborted();
  const answering = invocation.stream
    ? answerStreamed(run, ready, timeout, ports)
    : answerWhole(run, ready, ports);
  // A run that is late goes on by itself: its request has ended by then.
  return untilAborted(timeout, answering);
}

/** The answer of a request that is for no neuron; undefined for all others. Of the Model Context Protocol, calls of tools are. */
async function answerWithoutNeuron(run: Run, ports: ExecutionPorts): Promise<Outcome | undefined> {
  if (run.request.models !== undefined) {
    const listed = await (await loadModels()).listOrganizationModels(run.request, ports);
    if (listed !== undefined) return listed;
  }
  return run.request.surface === 'mcp' ? (await loadProtocol()).answerProtocol(run, ports) : undefined;
}

/** The answer of a request for something else than a run; undefined for all others. */
async function answerWithoutRun(
  known: Parameters<Awaited<ReturnType<typeof loadCounting>>['countRequest']>[0],
  budget: Budget,
  ports: ExecutionPorts,
): Promise<Outcome | undefined> {
  const { request, settings } = known;
  if (request.models !== undefined) return (await loadModels()).listModels(request, request.models, settings);
  if (request.isFeedback === true) return (await loadFeedback()).takeFeedback(known, ports);
  if (request.countsTokens === true) return (await loadCounting()).countRequest(known, budget, ports);
  return undefined;
}

/** The answer of another request with the same idempotency key, which kept it with masks. */
async function endReplay(
  run: Run,
  replay: Extract<Outcome, { kind: 'replay' }>,
  known: KnownCall,
  ports: ExecutionPorts,
): Promise<ServedAnswer> {
  const { request, settings, admission } = known;
  const find = () => findVersion(request, settings, admission, ports);
  const read = () => readInvocation(request, settings, find);
  return endRun(run, await restoreReplay(run, replay, known, read, ports), ports);
}
