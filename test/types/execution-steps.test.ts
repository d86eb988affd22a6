// Holds the order of the execution function's steps: a chain in any other order must not compile.

import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { describe, expectTypeOf, it } from 'vitest';
import type { AuthorizerContext } from '../../adapters/apigateway/authorizer-context.ts';
import type { Admission } from '../../lambdas/execute/admission.ts';
import { chainOf, runSoFar } from '../../lambdas/execute/bind.ts';
import type { compose } from '../../lambdas/execute/compose.ts';
import type { AuthorizedRun, PartialRun, ServingRun } from '../../lambdas/execute/run.ts';
import { admit, openRunBudget } from '../../lambdas/execute/steps/admit.ts';
import { claimKey } from '../../lambdas/execute/steps/idempotency.ts';
import { findVersion, readInvocation } from '../../lambdas/execute/steps/invocation.ts';
import {
  openRun,
  readSettings,
  rejectWhileClosed,
  requireAdmission,
  useSettings,
} from '../../lambdas/execute/steps/open-run.ts';
import { respond } from '../../lambdas/execute/steps/respond.ts';
import { lookUpAnswer, startCacheRead } from '../../lambdas/execute/steps/response-cache.ts';

/** Never called: the compiler reads the chains in it. */
function chains(ports: ReturnType<typeof compose>) {
  const opened = chainOf(middy<APIGatewayProxyEvent, APIGatewayProxyResult>(), ports, openRun);
  const admitted = opened.step(readSettings).step(requireAdmission);
  const serving = admitted.step(useSettings).step(rejectWhileClosed);
  const claimed = serving.step(claimKey);
  const versioned = claimed.step(readInvocation).step(findVersion);
  const budgeted = versioned.step(startCacheRead).step(openRunBudget);
  return { opened, admitted, serving, claimed, versioned, budgeted };
}
type Chains = ReturnType<typeof chains>;

describe('the chain of the execution function', () => {
  it('compiles in the order of the handler', () => {
    const whole = ({ budgeted }: Chains) =>
      budgeted
        .step(admit)
        .step(lookUpAnswer)
        .answer(respond(async () => undefined));
    expectTypeOf(whole).toBeFunction();
  });

  it('refuses settings before the admission, and an invocation while the service may be closed', () => {
    const wrong = [
      // @ts-expect-error settings are used only by a request that was admitted
      ({ opened }: Chains) => opened.step(useSettings),
      // @ts-expect-error an admission needs the settings that were read
      ({ opened }: Chains) => opened.step(requireAdmission),
      // @ts-expect-error a request with a key that is held is answered before its body is read
      ({ serving }: Chains) => serving.step(readInvocation),
      // @ts-expect-error keys are claimed by those alone who were let in, while the service is open
      ({ admitted }: Chains) => admitted.step(useSettings).step(claimKey),
      // @ts-expect-error nothing is read of a request while the service is closed
      ({ admitted }: Chains) => admitted.step(useSettings).step(readInvocation),
    ];
    expectTypeOf(wrong).toBeArray();
    expectTypeOf<AuthorizedRun>().not.toExtend<ServingRun>();
  });

  it('refuses limits before the version is found, and an answer of the cache before limits have room', () => {
    const wrong = [
      // @ts-expect-error the cache key names the version
      ({ claimed }: Chains) => claimed.step(readInvocation).step(startCacheRead),
      // @ts-expect-error the exact read runs beside the writes of limits, so it starts first
      ({ versioned }: Chains) => versioned.step(openRunBudget),
      // @ts-expect-error nothing is admitted without a budget
      ({ versioned }: Chains) => versioned.step(startCacheRead).step(admit),
      // @ts-expect-error a cached answer counts against limits like any other
      ({ budgeted }: Chains) => budgeted.step(lookUpAnswer),
    ];
    expectTypeOf(wrong).toBeArray();
  });

  it('refuses to run a flow without a budget, or before the cache was looked into', () => {
    const wrong = [
      // @ts-expect-error nothing runs without a budget
      ({ versioned }: Chains) => versioned.step(startCacheRead).answer(respond(async () => undefined)),
      // @ts-expect-error an answer that is there costs no second run
      ({ budgeted }: Chains) => budgeted.step(admit).answer(respond(async () => undefined)),
    ];
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

  it('gives error paths what may be missing as what may be missing', () => {
    expectTypeOf<PartialRun['admission']>().extract<undefined>().toEqualTypeOf<undefined>();
    expectTypeOf<PartialRun['settings']>().extract<undefined>().toEqualTypeOf<undefined>();
    expectTypeOf(runSoFar).returns.toEqualTypeOf<PartialRun | undefined>();
  });
});
