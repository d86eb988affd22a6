// What a scenario of the limits proof is, and the arithmetic of its calls: every attempt reserves the same, so that limits can be met exactly.
import type { Flow } from '../../../core/settings/flow-schema.ts';
import type { NeuronDocument } from '../../../core/settings/neuron-schema.ts';
import type { OrganizationDocument } from '../../../core/settings/organization-schema.ts';

/** Rules as they stand in settings files. */
export type RateRule = NonNullable<NeuronDocument['rateLimits']>[number];
export type UsageRule = NonNullable<OrganizationDocument['usageLimits']>[number];
/** Of each API key; every user of the scenario then has a key in place of a token. */
export type KeyRule = Exclude<UsageRule, { metric: 'concurrent' }>;

/** One load on one set of rules. Callers, users and addresses take turns by the number of the offer. */
export interface Scenario {
  readonly name: string;
  readonly rateLimits: readonly RateRule[];
  readonly usageLimits: readonly UsageRule[];
  readonly keyLimits?: readonly KeyRule[];
  /** Steps as they stand in settings files. */
  readonly flow: readonly object[];
  /** Requests that are sent, beside those that are sent again because room was only held. */
  readonly offers: number;
  /** Requests that are on their way at the same time. */
  readonly callers: number;
  readonly users: number;
  readonly addresses: number;
  readonly neurons: number;
  /** Neighbouring windows of 10 s that the offers fall into; 1: all in one. */
  readonly windows: number;
  /** Two windows, the last and the first millisecond around this time. Only without the stack, whose time is the machine's. */
  readonly edgeMs?: number;
  /** Items that share a limit of total requests; absent: what the stage says, which is one. */
  readonly shards?: number;
  /** Every how many-th write is made and its answer dropped, or dropped before it is made. */
  readonly loses?: { readonly takeAnswers?: number; readonly settlements?: number };
  /** Rules, by number, rate limits first, which must be filled exactly. The others are narrower in sum, or never reached. */
  readonly full: readonly number[];
}

/** One request as it was sent. */
export interface Offer {
  /** Of one length for all, so that every prompt is as long. */
  readonly id: string;
  readonly user: number;
  readonly address: number;
  readonly neuron: number;
  /** The window that it falls into, or undefined where the edge came while it was on its way. */
  readonly window: number | undefined;
}

/** What came of an offer. */
export interface Outcome {
  readonly offer: Offer;
  /** `ok`, or the code of the error. */
  readonly code: string;
}

/** What an attempt cost, as the provider itself counts; a failed one that may have worked counts whole. */
export interface Attempt {
  readonly id: string;
  readonly tokens: number;
  readonly microdollars: number;
  /** By the provider's monotonic clock; an attempt that was never answered has no end. */
  readonly beganMs: number;
  endedMs?: number;
}

/** Bytes of an id, which is the whole prompt. */
export const ID_BYTES = 16;
/** One message, by contract.md 4: its bytes and 64 more. */
const MESSAGE_TOKENS = ID_BYTES + 64;
const MAX_TOKENS = 20;
/** Microdollars a token, as dollars per million in settings. */
export const PRICE = { input: 1, output: 2 };

/** What every attempt reserves: 100 tokens, 120 microdollars. */
export const RESERVED = {
  tokens: MESSAGE_TOKENS + MAX_TOKENS,
  microdollars: MESSAGE_TOKENS * PRICE.input + MAX_TOKENS * PRICE.output,
} as const;

/** The id of an offer: scenario, number and how often it was sent. */
export function makeId(scenario: number, offer: number, time: number): string {
  return `${pad(scenario, 2)}.${pad(offer, 6)}.${pad(time, 6)}`;
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

/** A step that asks the counting provider; the model's name says how it behaves. */
export function ask(model: string, more: object = {}): object {
  return { callModel: { provider: 'counting', model, maxTokens: MAX_TOKENS, retries: 0, ...more } };
}

/** The documents of a scenario; `slug` is that of the organization, neurons are `n0`, `n1`, …. */
export function documentsOf(scenario: Scenario, slug: string, providerUrl: string) {
  const models = ['all', 'some', 'none', 'often-fails', 'fails-once', 'fails', 'slow', 'long', 'hangs'];
  const prices = Object.fromEntries(models.map((model) => [`counting/${model}`, PRICE]));
  const organization: OrganizationDocument = {
    organization: slug,
    providers: { counting: { type: 'openai', baseUrl: providerUrl, timeout: '10s' } },
    prices,
    usageLimits: [...scenario.usageLimits],
  };
  const neurons: NeuronDocument[] = Array.from({ length: scenario.neurons }, (_, index) => ({
    neuron: `${slug}/n${index}`,
    access: accessOf(scenario),
    rateLimits: [...scenario.rateLimits],
    // As a file has them: defaults are filled in where it is parsed.
    flow: scenario.flow as Flow,
  }));
  return { organization, neurons };
}

function accessOf({ users, keyLimits }: Scenario): NonNullable<NeuronDocument['access']> {
  if (keyLimits !== undefined) return { apiKey: true };
  return users > 0 ? { jwt: { sharedSecret: { secret: 'proof' }, usernamePath: 'sub' } } : { public: true };
}
