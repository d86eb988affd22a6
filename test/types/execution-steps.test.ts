// Holds the order of the execution function's steps: in their list, and by the compiler where one takes what another gives.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AuthorizerContext } from '../../adapters/apigateway/authorizer-context.ts';
import {
  type Admission,
  type ExecutionRequest,
  requireAdmission,
} from '../../adapters/apigateway/proxy-event.ts';
import type { Budget } from '../../core/limits/budget.ts';
import type { KnownSettings } from '../../core/settings/settings-cache.ts';
import type { OpenSettings, UsableSettings } from '../../core/settings/usable-settings.ts';
import { answerStreamed, answerWhole } from '../../lambdas/execute/answer.ts';
import type { ExecutionPorts } from '../../lambdas/execute/compose.ts';
import { leaseKey } from '../../lambdas/execute/idempotency/index.ts';
import type { AdmittedCall, Call, ReadyCall, Run } from '../../lambdas/execute/run.ts';
import { readInvocation } from '../../lambdas/execute/steps/invocation.ts';
import { admit, openRunBudget } from '../../lambdas/execute/steps/limits.ts';
import { lookUpAnswer, startCacheRead } from '../../lambdas/execute/steps/response-cache.ts';
import { useSettings } from '../../lambdas/execute/steps/settings.ts';
import { findVersion } from '../../lambdas/execute/steps/version.ts';
import { ROOT } from '../source-tree.ts';

/** What the steps give; never made, since the compiler alone reads the calls below. */
interface Results {
  readonly ports: ExecutionPorts;
  readonly request: ExecutionRequest;
  readonly known: KnownSettings;
  readonly admission: Admission;
  readonly deadline: Call['deadline'];
  readonly usable: UsableSettings;
  readonly open: OpenSettings;
  readonly call: Call;
  readonly budget: Budget;
  readonly caching: NonNullable<Run['caching']>;
  readonly admitted: AdmittedCall;
  readonly ready: ReadyCall;
  readonly run: Run;
  readonly timeout: AbortSignal;
}

describe('the steps of the execution function', () => {
  it('are called in this order', () => {
    const sourceFrom = (path: string, first: string) => {
      const source = readFileSync(join(ROOT, 'lambdas/execute', path), 'utf8');
      return source.slice(source.indexOf(`function ${first}`));
    };
    const list = sourceFrom('serve.ts', 'takeSteps') + sourceFrom('steps/prepare.ts', 'rejectBlocked');
    const calls = [...list.matchAll(/(?<![.\w])(?!takeSteps)([a-z]\w+)\(/g)].map(([, name]) => name);
    const expected = [
      // On an organization's URL the neuron is found before its settings are read, and a request that is too old reads nothing.
      'rejectOld',
      'answerWithoutNeuron',
      'endRun',
      'loadFindNeuron',
      'findNeuron',
      'readSettings',
      'toSubject',
      // An end user has limits, answers and entries of its own.
      'admitCaller',
      'rejectOld',
      'useSettings',
      'startRunDeadline',
      // Nothing is read of a request while the service is closed.
      'requireOpen',
      // Nor for a caller whom an operator blocked.
      'rejectBlocked',
      'openCountedBudget',
      // Models, feedback and counts of tokens are charged to no limit. What they need is loaded for them alone.
      'answerWithoutRun',
      'endRun',
      'prepare',
      // What was answered before is answered again, whatever is wrong with the request now.
      'replayInstead',
      'endReplay',
      // Nothing is written for a request that is rejected by then.
      'leaseKey',
      'endReplay',
      // Limits, cache and models get what the guards leave of the request.
      'guardRequest',
      // The exact read runs beside the writes of limits, so it starts first; a cached answer counts against limits like any other.
      'startCacheRead',
      // An answer from the cache takes nothing of tokens and cost: those limits are read for it.
      'chooseBudget',
      // Each attempt has a line before its model is asked.
      'recordAttempts',
      'admit',
      // Guards by services see a request before the lookup asks a model for its vector.
      'lookUpGuarded',
      'lookUpAnswer',
      // The answer's own, by the version that it comes from.
      'withFeedbackToken',
      'answerStreamed',
      'answerWhole',
      'untilAborted',
      'answerWithoutNeuron',
      'loadModels',
      'loadProtocol',
      'answerWithoutRun',
      'loadModels',
      'loadFeedback',
      'loadCounting',
      'endReplay',
      // A request that was rejected before its body was read has it read for the masks of the first answer.
      'findVersion',
      'readInvocation',
      'endRun',
      'restoreReplay',
      'rejectBlocked',
      'requireUnblocked',
      'openCountedBudget',
      'openRunBudget',
      // Each write asks whether the request has ended.
      'countWrite',
      'chooseBudget',
      'isHit',
      'loadHitBudget',
      'openHitBudget',
      'countWrite',
      'isHit',
      // Within `prepare`, after limits that are used up.
      'prepare',
      // The version is found once: a limit in tokens is used up where even its least run has no room.
      'once',
      'findVersion',
      'leastSpending',
      'mayNameEndUser',
      'findFor',
      'reject',
      'readInvocation',
      // A caller whom the body names is limited after it was read.
      'nameEndUser',
      'rejectBlocked',
      'openCountedBudget',
      // It may be on another side of a rollout than its key.
      'findFor',
      'reject',
      'readInvocation',
      'find',
      // A chat model is not asked for vectors, nor the other way round.
      'requireMakes',
      'takeLabels',
      'openLeftOut',
    ];
    expect(calls).toEqual(expected);
  });

  it('refuses settings before the admission, and everything else while the service may be closed', () => {
    const right = ({ request, known, admission, deadline, open, ports }: Results) => [
      useSettings(known, requireAdmission(request, known)),
      leaseKey({ request, admission, deadline, settings: open }, ports),
      readInvocation(request, open, () => findVersion(request, open, admission, ports)),
      findVersion(request, open, admission, ports),
    ];
    const wrong = [
      // @ts-expect-error settings are used only by a request that was admitted
      ({ known }: Results) => useSettings(known),
      // @ts-expect-error an admission needs the settings that were read
      ({ request }: Results) => requireAdmission(request),
      ({ request, admission, deadline, usable: settings, ports }: Results) =>
        // @ts-expect-error keys are leased by those alone who were let in, while the service is open
        leaseKey({ request, admission, deadline, settings }, ports),
      ({ request, deadline, open: settings, ports }: Results) =>
        // @ts-expect-error nor without an admission
        leaseKey({ request, deadline, settings }, ports),
      // @ts-expect-error nothing is read of a request while the service is closed
      ({ request, usable, ports }: Results) => readInvocation(request, usable, ports),
      // @ts-expect-error no version is looked for either
      ({ request, usable, ports }: Results) => findVersion(request, usable, ports),
    ];
    expectTypeOf(right).toBeFunction();
    expectTypeOf(wrong).toBeArray();
    expectTypeOf<UsableSettings>().not.toExtend<OpenSettings>();
  });

  it('refuses an answer of the cache before the version is known, and before limits have room', () => {
    const right = ({ call, budget, admitted, caching, ports }: Results) => [
      startCacheRead(call, ports),
      // Limits do not need the body, so a caller without room is rejected before it is read.
      (limited: Omit<Call, 'invocation' | 'version'>) => openRunBudget(limited, ports),
      admit(call, budget, ports),
      lookUpAnswer(admitted, caching, ports),
    ];
    type Unversioned = Omit<Call, 'version'>;
    const wrong = [
      // @ts-expect-error the cache key names the version
      (call: Unversioned, ports: ExecutionPorts) => startCacheRead(call, ports),
      // @ts-expect-error nothing is admitted without a budget
      ({ call, ports }: Results) => admit(call, undefined, ports),
      // @ts-expect-error a cached answer counts against limits like any other
      ({ call, caching, ports }: Results) => lookUpAnswer(call, caching, ports),
    ];
    expectTypeOf(right).toBeFunction();
    expectTypeOf(wrong).toBeArray();
  });

  it('refuses to run a flow without a budget, or before the cache was looked into', () => {
    const right = ({ run, ready, timeout, ports }: Results) => [
      answerWhole(run, ready, ports),
      answerStreamed(run, ready, timeout, ports),
    ];
    const wrong = [
      // @ts-expect-error nothing runs without a budget
      ({ run, call, ports }: Results) => answerWhole(run, call, ports),
      // @ts-expect-error an answer that is there costs no second run
      ({ run, admitted, ports }: Results) => answerWhole(run, admitted, ports),
      // @ts-expect-error nor does a stream of it
      ({ run, admitted, timeout, ports }: Results) => answerStreamed(run, admitted, timeout, ports),
    ];
    expectTypeOf(right).toBeFunction();
    expectTypeOf(wrong).toBeArray();
  });

  it('refuses every outcome but allow as an admission, and an allow that toAdmission did not see', () => {
    expectTypeOf<Admission['outcome']>().toEqualTypeOf<'allow'>();
    expectTypeOf<Extract<AuthorizerContext, { outcome: 'denied' }>>().not.toExtend<Admission>();
    expectTypeOf<AuthorizerContext>().not.toExtend<Admission>();
    const wrong = (denied: Extract<AuthorizerContext, { outcome: 'denied' }>): readonly Admission[] => [
      // @ts-expect-error a denied request was not admitted, whatever else it holds
      denied,
      // @ts-expect-error not even by an assertion: the two have nothing in common
      denied as Admission,
    ];
    expectTypeOf(wrong).toBeFunction();
  });

  it('gives the end of a request what may be missing as what may be missing', () => {
    expectTypeOf<Run['admission']>().extract<undefined>().toEqualTypeOf<undefined>();
    expectTypeOf<Run['settings']>().extract<undefined>().toEqualTypeOf<undefined>();
    expectTypeOf<Run['budget']>().extract<undefined>().toEqualTypeOf<undefined>();
  });
});
