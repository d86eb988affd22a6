// A call by each surface of a neuron with guards, whose model answers in a form of its own; and where values of that answer came to.
import { deltasOf, leavesOf } from '../corpora/answers.ts';
import { openGuarded, type Told } from '../function.ts';

export const MAIL = 'ann.lee@mail.example.com';
export const SSN = '123-45-6789';
export const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
/** More digits than a double holds. */
export const LONG_CARD = '6205500000000000004';
/** A part of each. */
export const CANARIES = ['ann.lee', 'mail.example', SSN, TOKEN.slice(0, 8), LONG_CARD.slice(0, 12)];

const library = {
  pii: { type: 'pii', entities: ['email', 'usSsn', 'card'] },
  secrets: { type: 'secrets' },
};

const user = [{ role: 'user', content: 'Hello' }];
const parameters = { type: 'object', properties: {} };
const BODIES = {
  native: { messages: user, tools: [{ type: 'function', function: { name: 'find', parameters } }] },
  openai: {
    model: 'support',
    messages: user,
    tools: [{ type: 'function', function: { name: 'find', parameters } }],
  },
  responses: {
    ...{ model: 'support', input: 'Hello', tools: [{ type: 'function', name: 'find', parameters }] },
    ...{ include: ['reasoning.encrypted_content'], store: false },
  },
  anthropic: {
    ...{ model: 'support', max_tokens: 99, messages: user },
    tools: [{ name: 'find', input_schema: parameters }],
  },
} as const;
export type Surface = keyof typeof BODIES;
export const SURFACES = Object.keys(BODIES) as Surface[];

export interface Way {
  readonly surface: Surface;
  readonly action: string;
  readonly stream: boolean;
}

export const WAYS: readonly Way[] = SURFACES.flatMap((surface) =>
  ['redact', 'block'].flatMap((action) => [false, true].map((stream) => ({ surface, action, stream }))),
);

interface Options {
  /** Beside the members of the request. */
  readonly json?: object;
  /** In place of the provider of Chat Completions. */
  readonly provider?: object;
  readonly model?: string;
}

export async function callOf(
  told: Told,
  { surface, action, stream }: Way,
  { json = {}, provider, model: name = 'm' }: Options = {},
) {
  const flow = [
    {
      callModel: {
        ...{ provider: 'model', model: name, maxTokens: 500, retries: 0 },
        ...{ accepts: 'all', showReasoning: true },
      },
    },
  ];
  const guards = Object.keys(library).map((use) => ({ use, on: ['input', 'output'], action }));
  const providers = provider === undefined ? {} : { providers: { model: provider } };
  const settings = { caching: { exact: true } };
  const model = openGuarded({ library, guards, flow, settings, ...providers }, () => told);
  const body = { ...BODIES[surface], ...json, ...(surface === 'native' ? {} : { stream }) };
  const form = { surface, stream: surface === 'native' && stream, idempotencyKey: 'one' };
  const answer = await model.call(body, form);
  const texts = stream ? deltasOf(surface, answer.text) : leavesOf(answer.text);
  const kept = [JSON.stringify(answer.headers), model.kept(), ...texts];
  const everything = opened([answer.text, ...kept].join('\n'));
  return { model, answer, found: CANARIES.filter((one) => everything.includes(one)) };
}

/** With what is readable in the envelopes of sealed thoughts. */
function opened(text: string): string {
  const envelopes = text.matchAll(/nr1\.([\w-]+)/g);
  return [text, ...envelopes.map(([, sealed = '']) => Buffer.from(sealed, 'base64url').toString())].join(
    '\n',
  );
}
