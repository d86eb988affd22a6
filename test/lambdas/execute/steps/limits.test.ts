// Admission in its place in the function: which store steps a request takes, and that no clock of ours is among what decides.
import { describe, expect, it } from 'vitest';
import { type Admission, toAdmission } from '../../../../adapters/apigateway/proxy-event.ts';
import { conversationOf } from '../../../../core/conversation/conversation.ts';
import { createCircuitBreakers } from '../../../../core/flow/circuit-breaker.ts';
import { createExhaustionCache } from '../../../../core/limits/exhaustion-cache.ts';
import { flowSchema } from '../../../../core/settings/flow-schema.ts';
import { neuronSettingsSchema } from '../../../../core/settings/neuron-schema.ts';
import { organizationSchema } from '../../../../core/settings/organization-schema.ts';
import type { Clock } from '../../../../core/time/clock.ts';
import { startDeadline } from '../../../../core/time/deadline.ts';
import { sendSettlements } from '../../../../lambdas/execute/end/finish.ts';
import type { Call } from '../../../../lambdas/execute/run.ts';
import { type FlowRunPorts, runCall } from '../../../../lambdas/execute/steps/flow.ts';
import { admit, type BudgetPorts, openRunBudget } from '../../../../lambdas/execute/steps/limits.ts';
import { renderRun, viewOf } from '../../../../lambdas/execute/steps/render-run.ts';
import { type SpiedCounters, scopeOf, spyOnCounters } from '../../../core/limits/limited.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryProvider } from '../../../support/memory/providers.ts';
import { allowedRequest } from '../allowed-request.ts';

const NOON = Date.parse('2026-11-21T12:00:30.000Z');
const call = { callModel: { provider: 'demo', model: 'm', maxTokens: 10, retries: 0 } };

interface Input {
  readonly rateLimits?: readonly object[];
  readonly usageLimits?: readonly object[];
  readonly flow?: readonly object[];
  readonly whenCountersFail?: string;
  readonly access?: object;
  readonly caller?: Pick<Admission, 'authentication' | 'keyId' | 'keyLimits' | 'username'>;
  /** Of the stage. */
  readonly defaultConcurrency?: number;
}

function openedCall(options: Input, clock: Clock): Call {
  const ann = { authentication: 'jwt', keyId: undefined, username: 'ann' } as const;
  const request = allowedRequest(NOON, options.caller ?? ann);
  const { rateLimits = [], usageLimits = [], whenCountersFail = 'refuse' } = options;
  const providers = { demo: { type: 'echo' } };
  return {
    request,
    startedMs: clock.monotonicMs(),
    subject: undefined,
    admission: toAdmission(request),
    deadline: startDeadline(clock, 60_000),
    leftOut: { add: () => undefined, names: () => [] },
    invocation: {
      input: 'Hello',
      conversation: conversationOf('Hello'),
      bypassCache: false,
      stream: false,
      leftOut: [],
    },
    version: { id: 'v1', flow: flowSchema.parse(options.flow ?? [call]), variables: {} },
    settings: {
      organizationId: 'o1',
      neuronId: 'n1',
      organization: organizationSchema.parse({ organization: 'acme', providers, usageLimits }),
      neuron: neuronSettingsSchema.parse({
        neuron: 'acme/hello',
        access: options.access ?? { public: true },
        rateLimits,
        whenCountersFail,
      }),
      deployment: { version: 'v1', number: 1 },
      previewKeys: {},
      cacheGeneration: 0,
      pause: undefined,
      maintenance: undefined,
      version: { organization: 1, neuron: 1 },
    },
  };
}

/** Takes one request from admission to its settlement; `skewMs` is how far the function's clock is off. */
async function request(
  options: Input,
  skewMs = 0,
  counters: SpiedCounters = spyOnCounters(),
  random = () => 0,
) {
  const clock = createMemoryClock(NOON + skewMs);
  const provider = createMemoryProvider();
  const ports: FlowRunPorts & BudgetPorts = {
    clock,
    counters,
    random: { fraction: random, bytes: (count) => new Uint8Array(count) },
    circuits: createCircuitBreakers(clock),
    validateJson: async () => undefined,
    providersOf: () => () => ({ provider, embedding: undefined, timeoutMs: undefined }),
    exhaustionCache: createExhaustionCache(),
    counterShards: 1,
    defaultConcurrency: options.defaultConcurrency,
    maxDeadlineMs: 240_000,
  };
  const call = openedCall(options, clock);
  const budget = openRunBudget(call, ports);
  const admitted = await admit(call, budget, ports);
  const admittedWith = [...counters.calls];
  const ready = { ...admitted, lookup: { result: 'off', failures: [] } } as const;
  const answer = renderRun(viewOf(ready, await runCall(ready)));
  const beforeAnswer = counters.calls.slice(admittedWith.length);
  await sendSettlements(budget.close(), ports);
  call.deadline.end();
  return { counters, answer, provider, admittedWith, beforeAnswer };
}

const requests = (scope: string, period: string) => ({ metric: 'requests', scope, limit: 100, period });
const tokens = (scope: string, period: string) => ({ metric: 'tokens', scope, limit: 10_000, period });
const daily = { metric: 'requests', limit: 1_000, period: 'day' };
const monthly = { metric: 'cost', limit: 500, period: 'month' };

describe('the sequential store steps of a request before its answer', () => {
  it.each([
    ['no rule', {}, []],
    ['one rule', { rateLimits: [requests('user', '1m')] }, ['reserve user']],
    [
      'two rules of one subject and period',
      { rateLimits: [requests('user', '1m'), tokens('user', '1m')] },
      ['reserve user'],
    ],
    [
      'two rules of one subject with different periods',
      { rateLimits: [requests('user', '1m'), tokens('user', '1h')] },
      ['reserve user', 'reserve user'],
    ],
    [
      'two rules of two subjects',
      { rateLimits: [requests('user', '1m'), requests('total', '1m')] },
      ['reserve user', 'reserve total'],
    ],
    [
      'four rules of one subject with two periods',
      {
        rateLimits: [
          ...[requests('user', '1m'), tokens('user', '1m')],
          ...[requests('user', '1h'), tokens('user', '1h')],
        ],
      },
      ['reserve user', 'reserve user'],
    ],
    [
      'four rules of one subject with a period each',
      {
        rateLimits: [
          ...[requests('user', '1m'), tokens('user', '10m')],
          ...[requests('user', '1h'), tokens('user', '1d')],
        ],
      },
      ['reserve user', 'reserve user', 'reserve user', 'reserve user'],
    ],
    [
      'four rules of one subject and period, and of another',
      {
        rateLimits: [
          ...[requests('user', '1m'), tokens('user', '1m')],
          ...[requests('total', '1m'), tokens('total', '1m')],
        ],
      },
      ['reserve user', 'reserve total'],
    ],
    [
      'four rules of three subjects with different periods',
      {
        rateLimits: [requests('total', '1d'), requests('user', '1m'), tokens('user', '1h')],
        usageLimits: [monthly],
      },
      // The provider costs nothing, so the limit of cost has nothing to give.
      ['reserve user', 'reserve user', 'reserve total'],
    ],
    [
      'four rules of three subjects',
      {
        rateLimits: [requests('user', '1m'), requests('ip', '1m'), tokens('ip', '1m')],
        usageLimits: [daily],
      },
      ['reserve user', 'reserve ip', 'reserve organization'],
    ],
  ])('with %s are as many as it has counters', async (_rules, options, steps) => {
    const { admittedWith, beforeAnswer } = await request(options);
    expect(admittedWith).toEqual(steps);
    // The attempt itself writes nothing: admission set aside what it spends.
    expect(beforeAnswer).toEqual([]);
  });

  it('settle after the answer, once for each counter that was held', async () => {
    const { counters } = await request({
      rateLimits: [requests('user', '1m'), tokens('ip', '1h'), tokens('total', '1d')],
    });
    expect(counters.calls.slice(3)).toEqual(['settle ip', 'settle total']);
    // `Hello` takes 5 bytes: 5 + 64 + 10 were held, 8 were used.
    expect(counters.settlements.map(({ key, changes }) => [scopeOf(key), changes])).toEqual([
      ['ip', [{ metric: 'tokens', taken: 8 - 79, held: -79 }]],
      ['total', [{ metric: 'tokens', taken: 8 - 79, held: -79 }]],
    ]);
  });
});

describe('what admission goes by', () => {
  it.each([-2_000, 2_000, 30_000])(
    'is not the function’s clock: %i ms off, every write is the same but for the time of it',
    async (skewMs) => {
      const options = { rateLimits: [requests('user', '1m'), tokens('total', '30s')] };
      const [right, wrong] = [await request(options), await request(options, skewMs)];
      const untimed = ({ counters }: typeof right) =>
        counters.reserveRequests.map(({ atMs, ...rest }) => rest);
      expect(untimed(wrong)).toEqual(untimed(right));
      // A clock that is slow says nothing before the arrival.
      const times = wrong.counters.reserveRequests.map(({ atMs }) => atMs);
      expect(times).toEqual([NOON, NOON].map((arrivedMs) => arrivedMs + Math.max(0, skewMs)));
      expect(wrong.counters.settlements).toEqual(right.counters.settlements);
      expect(right.counters.reserveRequests[0]?.key).toContain('#2026-11-21T12:00:00Z');
      expect(right.counters.reserveRequests[1]?.key).toContain('#2026-11-21T12:00:30Z');
    },
  );

  it('is the chance that the run then takes', async () => {
    const split = {
      randomizedSplit: {
        percentageA: 50,
        a: [{ callModel: { ...call.callModel, maxTokens: 1 } }],
        b: [{ callModel: { ...call.callModel, maxTokens: 2 } }],
      },
    };
    const draws = [0.9, 0.1, 0.1];
    const { provider, counters } = await request(
      { rateLimits: [tokens('user', '1m')], flow: [split] },
      0,
      undefined,
      () => draws.shift() ?? 0,
    );
    expect(provider.requests.map(({ maxTokens }) => maxTokens)).toEqual([2]);
    expect(counters.reserveRequests.map(({ changes }) => changes[0]?.taken)).toEqual([5 + 64 + 2]);
  });

  it('keeps counters for the longest run and an hour after their window', async () => {
    const { counters } = await request({ rateLimits: [requests('user', '1m')] });
    expect(counters.reserveRequests[0]?.expiresAt).toBe(
      Date.parse('2026-11-21T12:01:00Z') / 1000 + 240 + 3_600,
    );
  });

  it('shows the caller what is left when the run is over', async () => {
    const { answer } = await request({ rateLimits: [{ ...tokens('user', '1m'), limit: 100 }] });
    expect(answer.headers).toMatchObject({
      'RateLimit-Policy': '"user-tokens-1m";q=100;w=60;qu="tokens"',
      RateLimit: '"user-tokens-1m";r=92;t=30',
    });
  });
});

describe('runs at once', () => {
  const total = { metric: 'concurrent', scope: 'total', limit: 5 };
  /** A minute after the request, 5 s more, and up to the next 5 s. */
  const END = (NOON + 65_000) / 1_000;

  it('take one more step, and are over when the answer is', async () => {
    const { counters, admittedWith, beforeAnswer } = await request({ rateLimits: [total] });
    expect(admittedWith).toEqual(['reserve total']);
    expect(beforeAnswer).toEqual([]);
    expect(counters.calls).toEqual(['reserve total', 'settle total']);
    expect(counters.reserveRequests[0]?.lease).toEqual({ endsAt: END, ended: [] });
  });

  it('keep their lease until the deadline, whatever the clock of the function says', async () => {
    const leaseOf = async (skewMs: number) => {
      const { counters } = await request({ rateLimits: [total] }, skewMs);
      return counters.reserveRequests[0]?.lease?.endsAt;
    };
    expect(await leaseOf(-20_000)).toBe(END);
    expect(await leaseOf(20_000)).toBe(END + 20);
  });

  it('have the default of the stage', async () => {
    const { admittedWith } = await request({ defaultConcurrency: 3 });
    expect(admittedWith).toEqual(['reserve organization']);
  });
});

describe('the limits of an API key', () => {
  const keyLimits = [{ metric: 'requests', limit: 1, period: 'day' }] as const;
  const shop = { authentication: 'apiKey', keyId: 'key1', username: undefined, keyLimits } as const;
  const options = { caller: shop, access: { apiKey: true }, rateLimits: [requests('total', '1m')] };

  it('are asked after those of the neuron', async () => {
    const { admittedWith, counters } = await request(options);
    expect(admittedWith).toEqual(['reserve total', 'reserve key']);
    await expect(request(options, 0, counters)).rejects.toMatchObject({ code: 'usage_limit_exceeded' });
  });
});
