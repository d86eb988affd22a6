// What every client is driven through, and the errors that it must throw.
import { CUTS } from './scripted-model.ts';
import { cutNeuron, limited, PAUSED } from './settings.ts';

export const NODE_CLIENTS = ['openai-7', 'openai-6', 'ai-openai-chat', 'ai-compatible', 'langchain'] as const;
export const PYTHON_CLIENT = 'openai-python';
export const BROWSER_CLIENT = 'openai-browser';
export const CLIENTS = [...NODE_CLIENTS, PYTHON_CLIENT, BROWSER_CLIENT] as const;
export type Client = (typeof CLIENTS)[number];

/** What a case came to, as the programs of the clients say it. */
export interface Outcome {
  readonly ok?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly class: string;
    readonly status?: number;
    readonly code?: string;
    readonly requestId?: string;
    readonly param?: string;
    readonly message: string;
  };
}

/** By the name of the case. */
export type Outcomes = Readonly<Record<string, Outcome>>;

export interface Case {
  readonly kind: string;
  /** The slug of one of `acme`, or `/organization/neuron`. */
  readonly neuron?: string;
  readonly key?: string;
  readonly model?: string;
  readonly maxRetries?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: object;
  /** What is said to the model. */
  readonly ask?: string;
}

/** A case as a program gets it. */
export type Drive = Omit<Case, 'neuron' | 'key'> & {
  readonly name: string;
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
};

type ErrorCase = readonly [asked: Omit<Case, 'kind'>, status: number, code: string, param?: string];

/** Each way in which the service refuses a caller: status, code, and the member that it blames. */
export const ERRORS: Readonly<Record<string, ErrorCase>> = {
  unauthorized: [{ key: 'sk-wrong' }, 401, 'invalid_api_key'],
  page: [{ neuron: 'pages', headers: { Referer: 'https://evil.example.org/' } }, 403, 'referer_not_allowed'],
  address: [{ neuron: 'elsewhere' }, 403, 'ip_not_allowed'],
  closed: [{ neuron: 'closed' }, 403, 'access_closed'],
  unknown: [{ neuron: 'nothing' }, 404, 'model_not_found', 'model'],
  undeployed: [{ neuron: 'undeployed' }, 404, 'model_not_found', 'model'],
  model: [{ model: 'other' }, 404, 'model_not_found', 'model'],
  invalid: [{ more: { temperature: 3 } }, 400, 'invalid_input', 'temperature'],
  notAccepted: [{ neuron: 'plain', more: { temperature: 1 } }, 400, 'not_accepted', 'temperature'],
  limited: [{ neuron: 'limited' }, 429, 'rate_limit_exceeded'],
  paused: [{ neuron: `/${PAUSED}/talk` }, 429, 'insufficient_quota'],
  configuration: [{ neuron: 'unset' }, 500, 'configuration'],
  unavailable: [{ neuron: 'dead' }, 503, 'upstream_unavailable'],
};

/** Whose first call a limit refuses, whoever asked before. */
export const FILLED = /\.(wait|spent|limited|limited-stream)$/;

/** The classes that OpenAI's clients have for a status, which LangChain hands on; the AI SDK has one for all. */
export const CLASSES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  503: 'InternalServerError',
};

export const isSdk = (client: Client) => client.startsWith('ai-');
export const isOfficial = (client: Client) => client.startsWith('openai-');

/** The ways in which a client reads a stream: the official ones have two. */
export const readingsOf = (client: Client) => (isOfficial(client) ? ['stream', 'streamFinal'] : ['stream']);

/** By which the answers to a case are known. */
export const tagOf = (client: Client, name: string) => `${client}.${name}`;

/** Two rounds of two tools by hand, where each request has the SDK's own objects of the answers before it. */
export const LOOPS = ['toolsParse', 'responses', 'responsesStream', 'responsesParse'] as const;

/** By name; those that wait first, so that the others run meanwhile. */
export function casesOf(client: Client): Readonly<Record<string, Case>> {
  const once = (one: Case): Case => ({ ...one, maxRetries: 0 });
  return {
    wait: { kind: 'text', neuron: limited(client) },
    spent: { kind: 'text', neuron: '/spent/talk' },
    text: { kind: 'text' },
    stream: { kind: 'stream' },
    streamUsage: { kind: 'streamUsage' },
    tools: { kind: 'tools', neuron: 'rounds' },
    toolsStream: { kind: 'toolsStream', neuron: 'rounds' },
    schema: { kind: 'schema' },
    image: { kind: 'image' },
    ...(isOfficial(client)
      ? {
          models: { kind: 'models' },
          ...Object.fromEntries(LOOPS.map((kind) => [kind, { kind, neuron: 'rounds' }])),
          responsesSchema: { kind: 'responsesSchema' },
          final: { kind: 'streamFinal' },
          schemaCut: { kind: 'schema', more: { max_completion_tokens: 1 } },
        }
      : {}),
    ...Object.fromEntries(
      Object.entries(ERRORS).flatMap(([name, [one]]) => [
        [name, once({ ...one, kind: 'text' })],
        [`${name}-stream`, once({ ...one, kind: 'stream' })],
      ]),
    ),
    ...Object.fromEntries(
      ['echo', ...CUTS].flatMap((cut) =>
        readingsOf(client).map((kind) => {
          const name = `cut-${cut}-${kind}`;
          return [name, once({ kind, neuron: cutNeuron(cut, client, CLIENTS), ask: tagOf(client, name) })];
        }),
      ),
    ),
  };
}
