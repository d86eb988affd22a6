// The scenarios: each metric and scope, several rules, shards, edges of windows, and everything that goes wrong.
import { ask, RESERVED, type Scenario } from './scenario.ts';

const base: Omit<Scenario, 'name' | 'full'> = {
  rateLimits: [],
  usageLimits: [],
  flow: [ask('all')],
  offers: 320,
  callers: 200,
  users: 0,
  addresses: 1,
  neurons: 1,
  windows: 1,
};

/** Dollars of so many reservations. */
const dollars = (reservations: number) => (reservations * RESERVED.microdollars) / 1_000_000;
const tokens = (reservations: number) => reservations * RESERVED.tokens;

/** A new scenario goes to the end: ids are by number. */
export const SCENARIOS: readonly Scenario[] = [
  {
    ...base,
    name: 'requests, total',
    rateLimits: [{ metric: 'requests', scope: 'total', limit: 97, period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'requests, user',
    users: 8,
    rateLimits: [{ metric: 'requests', scope: 'user', limit: 11, period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'requests, ip',
    addresses: 6,
    rateLimits: [{ metric: 'requests', scope: 'ip', limit: 13, period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'requests, organization, two neurons',
    neurons: 2,
    usageLimits: [{ metric: 'requests', limit: 80, period: 'month' }],
    full: [0],
  },
  {
    ...base,
    name: 'tokens, user, all that is reserved is used',
    users: 4,
    rateLimits: [{ metric: 'tokens', scope: 'user', limit: tokens(14), period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'tokens, total, little is used',
    flow: [ask('some')],
    offers: 400,
    rateLimits: [{ metric: 'tokens', scope: 'total', limit: 2_500, period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'tokens, ip, usage unknown',
    addresses: 3,
    flow: [ask('none')],
    rateLimits: [{ metric: 'tokens', scope: 'ip', limit: tokens(15), period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'cost, total, all that is reserved is used',
    rateLimits: [{ metric: 'cost', scope: 'total', limit: dollars(60), period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'cost, user, little is used',
    users: 4,
    flow: [ask('some')],
    rateLimits: [{ metric: 'cost', scope: 'user', limit: dollars(12), period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'cost, ip',
    addresses: 3,
    rateLimits: [{ metric: 'cost', scope: 'ip', limit: dollars(16), period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'tokens, organization, two neurons',
    neurons: 2,
    usageLimits: [{ metric: 'tokens', limit: tokens(50), period: 'month' }],
    full: [0],
  },
  {
    ...base,
    name: 'cost, organization',
    usageLimits: [{ metric: 'cost', limit: dollars(45), period: 'month' }],
    full: [0],
  },
  {
    ...base,
    name: 'two rules: requests, user and total',
    users: 10,
    rateLimits: [
      { metric: 'requests', scope: 'total', limit: 60, period: '1d' },
      { metric: 'requests', scope: 'user', limit: 9, period: '12h' },
    ],
    full: [0],
  },
  {
    ...base,
    name: 'three rules: requests, tokens and cost',
    users: 5,
    rateLimits: [
      { metric: 'requests', scope: 'user', limit: 30, period: '12h' },
      { metric: 'tokens', scope: 'total', limit: tokens(70), period: '1d' },
    ],
    usageLimits: [{ metric: 'cost', limit: dollars(50), period: 'day' }],
    full: [2],
  },
  {
    ...base,
    name: 'requests, total, shards',
    shards: 8,
    rateLimits: [{ metric: 'requests', scope: 'total', limit: 101, period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'two rules, shards, across edges of windows',
    shards: 4,
    users: 6,
    windows: 3,
    offers: 480,
    rateLimits: [
      { metric: 'requests', scope: 'total', limit: 37, period: '10s' },
      { metric: 'requests', scope: 'user', limit: 40, period: '1m' },
    ],
    full: [0],
  },
  {
    ...base,
    name: 'failing, slow and silent runs',
    flow: [
      {
        randomizedSplit: {
          percentageA: 40,
          a: [ask('often-fails', { retries: 2 })],
          b: [
            { randomizedSplit: { percentageA: 90, a: [ask('slow')], b: [ask('hangs', { timeout: '1s' })] } },
          ],
        },
      },
    ],
    rateLimits: [{ metric: 'tokens', scope: 'total', limit: tokens(60), period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'two calls, a retry and a fallback',
    users: 3,
    flow: [
      ask('fails-once', { retries: 2 }),
      ask('fails', { fallbacks: [{ provider: 'counting', model: 'all' }] }),
    ],
    rateLimits: [{ metric: 'tokens', scope: 'user', limit: tokens(25), period: '1d' }],
    usageLimits: [{ metric: 'cost', limit: dollars(70), period: 'day' }],
    full: [1],
  },
  {
    ...base,
    name: 'answers of counter writes lost',
    users: 4,
    loses: { takeAnswers: 9 },
    rateLimits: [
      { metric: 'requests', scope: 'user', limit: 40, period: '1d' },
      { metric: 'requests', scope: 'total', limit: 90, period: '1d' },
    ],
    full: [1],
  },
  {
    ...base,
    name: 'answers and settlements lost',
    flow: [ask('some')],
    loses: { takeAnswers: 11, settlements: 7 },
    rateLimits: [{ metric: 'tokens', scope: 'total', limit: tokens(30), period: '1d' }],
    full: [0],
  },
  {
    ...base,
    name: 'runs at once, total',
    flow: [ask('long')],
    rateLimits: [{ metric: 'concurrent', scope: 'total', limit: 9 }],
    full: [0],
  },
  {
    ...base,
    name: 'runs at once, user and organization, two neurons',
    users: 4,
    neurons: 2,
    flow: [ask('long')],
    rateLimits: [{ metric: 'concurrent', scope: 'user', limit: 2 }],
    usageLimits: [{ metric: 'concurrent', limit: 6 }],
    full: [1],
  },
  {
    ...base,
    name: 'runs at once beside requests, answers of counter writes lost',
    addresses: 2,
    flow: [ask('long')],
    loses: { takeAnswers: 40, settlements: 60 },
    rateLimits: [
      { metric: 'concurrent', scope: 'total', limit: 8 },
      { metric: 'requests', scope: 'ip', limit: 70, period: '1d' },
    ],
    full: [],
  },
  {
    ...base,
    name: 'keys: requests and cost, beside total and organization',
    users: 4,
    keyLimits: [
      { metric: 'requests', limit: 30, period: 'day' },
      { metric: 'cost', limit: dollars(14), period: 'month' },
    ],
    rateLimits: [{ metric: 'requests', scope: 'total', limit: 200, period: '1d' }],
    usageLimits: [{ metric: 'tokens', limit: tokens(300), period: 'month' }],
    full: [2],
  },
  {
    ...base,
    name: 'keys: over midnight',
    users: 3,
    windows: 2,
    edgeMs: Date.parse('2026-11-22T00:00:00Z'),
    keyLimits: [{ metric: 'requests', limit: 31, period: 'day' }],
    full: [0],
  },
  {
    ...base,
    name: 'keys: over the end of a month',
    users: 3,
    windows: 2,
    edgeMs: Date.parse('2027-01-01T00:00:00Z'),
    keyLimits: [{ metric: 'cost', limit: dollars(17), period: 'month' }],
    full: [0],
  },
];
