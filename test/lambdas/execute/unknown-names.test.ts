// Names of no neuron on an organization's URL: the reads that they cost are bounded, since no limit counts them.

import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { generateApiKey, type NewApiKey } from '../../../core/access/api-key.ts';
import { MAX_UNKNOWN_NAMES } from '../../../core/settings/names/found-neurons.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { eventOf, portsOf } from './memory-ports.ts';
import { finish } from './served.ts';

const random = { bytes: (count: number) => randomBytes(count) };

/** Calls of `acme` by its URL, of one environment. */
function openEnvironment() {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const reads: string[] = [];
  const ports = portsOf({ providers: { model: { type: 'echo' } }, neurons: {} }, createMemoryCounters(), {
    clock,
    responses: createMemoryResponseCache(),
    logs: { put: async () => true },
    openHttp: createStreamHttp({ pieces: [] }).openHttp,
  });
  const { find } = ports.modelNames;
  const modelNames: typeof ports.modelNames = {
    ...ports.modelNames,
    find(organization, names) {
      reads.push(names[0] ?? '');
      return find(organization, names);
    },
  };
  const call = async (model: string, { key, keyId }: NewApiKey) => {
    const event = eventOf('', { model, messages: [] }, { stream: false }, `call-${reads.length}`, clock);
    const authorizer = { outcome: 'key', organization: 'acme', organizationId: 'org-1', keyId };
    const asked = {
      ...event,
      resource: '/v1/{organization}/chat/completions',
      pathParameters: { organization: 'acme' },
      multiValueHeaders: { ...event.multiValueHeaders, authorization: [`Bearer ${key}`] },
      requestContext: { ...event.requestContext, authorizer },
    };
    const serving = serve(asked as unknown as APIGatewayProxyEvent, new AbortController().signal, {
      ...ports,
      modelNames,
    });
    let isServed = false;
    void serving.finally(() => {
      isServed = true;
    });
    // A 404 leaves at a multiple of 50 ms. The first call loads the steps of the URL before it waits for that.
    while (!isServed && clock.sleepers === 0) await turn();
    await clock.advance(50);
    const served = await serving;
    const { headers } = served.answer();
    return { ...(await finish(served)), headers };
  };
  return { call, clock, reads };
}

it('three hundred in a minute of one key are looked up, and then none', async () => {
  const { call, clock, reads } = openEnvironment();
  const [one, other] = [generateApiKey(random), generateApiKey(random)];
  for (let index = 0; index < MAX_UNKNOWN_NAMES; index += 1)
    expect(await call(`Model/${index}`, one)).toMatchObject({ status: 404 });
  expect(reads).toHaveLength(MAX_UNKNOWN_NAMES);
  const { status, headers, body } = await call('Model/x', one);
  expect([status, JSON.parse(body)]).toMatchObject([429, { error: { code: 'rate_limit_exceeded' } }]);
  // 300 times 50 ms are over.
  expect(headers).toMatchObject({ 'Retry-After': '45' });
  expect(reads).toHaveLength(MAX_UNKNOWN_NAMES);
  expect(await call('Model/x', other)).toMatchObject({ status: 404 });
  await clock.advance(60_000);
  expect(await call('Model/x', one)).toMatchObject({ status: 404 });
  expect(reads).toHaveLength(MAX_UNKNOWN_NAMES + 2);
});
