// A guard by a service before a real socket, whose answers a test gives, with the execution function behind it.
import { afterAll, beforeAll } from 'vitest';
import type { OpenHttp } from '../../../../adapters/http/message.ts';
import type { FakeAnswer } from '../../../adapters/providers/fake-http.ts';
import {
  type Chaos,
  type FixtureServer,
  type ReceivedRequest,
  startFixtureServer,
} from '../../../adapters/providers/fixture-server.ts';
import type { MemoryClock } from '../../../support/memory/clock.ts';
import { openGuarded } from './function.ts';

let server: FixtureServer;
let openHttp: OpenHttp;
let answering: (request: ReceivedRequest) => FakeAnswer | Chaos;

beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createOpenHttp } = await import('../../../../adapters/http/request.ts');
  openHttp = createOpenHttp();
  server = await startFixtureServer((request) => answering(request));
});
afterAll(() => server.stop());

export const PASS: FakeAnswer = { status: 200, body: { verdict: 'pass' } };
export const BLOCK: FakeAnswer = { status: 200, body: { verdict: 'block' } };

export function webhook(path = '/ours', more: object = {}) {
  return { type: 'webhook', endpoint: `${server.url}${path}`, secret: { secret: 'guard-hmac' }, ...more };
}

export function open(use: object, answer: FakeAnswer | Chaos, more: object = {}, text = 'Hello to you.') {
  answering = () => answer;
  const guards = [{ use: 'ours', on: ['input'], action: 'block', ...use }];
  return openGuarded({ library: { ours: webhook() }, guards, guardHttp: openHttp, ...more }, () => ({
    text,
  }));
}

/** The result of work that waits for a clock which stands still by itself. */
export async function inTime<Result>(
  work: Promise<Result>,
  clock: MemoryClock,
  stepMs = 500,
): Promise<Result> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (!isDone) await clock.advance(stepMs);
  }
  return done;
}

const SURFACES = ['native', 'openai', 'responses', 'anthropic'] as const;
export const FORMS = SURFACES.flatMap((surface) => [false, true].map((stream) => ({ surface, stream })));
const TURN = [{ role: 'user', content: 'Hello' }];
const BODIES = {
  native: { input: 'Hello' },
  openai: { model: 'support', messages: TURN },
  responses: { model: 'support', input: 'Hello', store: false },
  anthropic: { model: 'support', max_tokens: 50, messages: TURN },
} as const;

export const bodyOf = ({ surface, stream }: (typeof FORMS)[number]) =>
  surface === 'native' || !stream ? BODIES[surface] : { ...BODIES[surface], stream };

/** A form of a call, at the URL of a neuron or of its organization. */
export interface AnyForm {
  readonly surface: keyof typeof BODIES | 'mcp';
  readonly stream: boolean;
  readonly isOfOrganization: boolean;
}

/** Each surface, whole and streamed, at each URL that it has. */
export const EVERY_FORM: readonly AnyForm[] = [
  ...FORMS.map((form) => ({ ...form, isOfOrganization: false })),
  ...FORMS.filter(({ surface }) => surface !== 'native').map((form) => ({ ...form, isOfOrganization: true })),
  { surface: 'mcp', stream: false, isOfOrganization: true },
];

/** The settings of a neuron that takes the form. */
export const settingsOf = ({ isOfOrganization }: AnyForm) => ({
  access: isOfOrganization ? { apiKey: true } : { public: true },
  mcp: { description: 'Helps.' },
});

const TOOL_CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'support', arguments: BODIES.native },
};

export const anyBodyOf = ({ surface, stream }: AnyForm) =>
  surface === 'mcp' ? TOOL_CALL : bodyOf({ surface, stream });

/** How often the lines of a function counted a guard without a verdict. */
export const unavailableIn = (lines: readonly string[]): number =>
  lines.filter((line) => (JSON.parse(line) as Record<string, unknown>)['GuardUnavailable'] === 1).length;

/** Sets how the service answers from now on. */
export function answerWith(answer: typeof answering): void {
  answering = answer;
}

/** Where the service is. */
export const serviceUrl = (): string => server.url;

/** The requests that the service got. */
export const received = (): readonly ReceivedRequest[] => server.received;

/** The connection to it. */
export const toServer: OpenHttp = (request) => openHttp(request);

/** The connections to it that are open now. */
export const connections = (): Promise<number> => server.open();
