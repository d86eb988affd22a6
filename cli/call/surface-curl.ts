// The call of a client of OpenAI or of Anthropic as a line for a shell, by the surface that the options name.
import { usageFailure } from '../output/failure.ts';
import type { NeuronTarget } from '../session/target.ts';
import type { VariableValues } from './parse-variable.ts';

/** Each surface by the option that chooses it. */
const SURFACES = {
  openai: { path: 'chat/completions', headers: [], body: chatBody },
  responses: { path: 'responses', headers: [], body: (input: string) => ({ input }) },
  messages: {
    path: 'v1/messages',
    headers: ['anthropic-version: 2023-06-01'],
    body: (input: string) => ({ max_tokens: 1024, ...chatBody(input) }),
  },
} as const;

type SurfaceName = keyof typeof SURFACES;

/** Options of `neuron call` that no such line could hold. */
const LEFT_OUT = ['bypassCache', 'raw', 'revision', 'token', 'tokenFile'] as const;

interface SurfaceOptions extends Readonly<Record<(typeof LEFT_OUT)[number], string | boolean | undefined>> {
  readonly openai: boolean;
  readonly responses: boolean;
  /** A file with a conversation; true: Anthropic's Messages. */
  readonly messages: string | true | undefined;
}

/** The surface whose line is asked for; undefined for a call. Throws where another option says something else. */
export function readSurface(options: SurfaceOptions): SurfaceName | undefined {
  const { openai, responses, messages } = options;
  const chosen: SurfaceName[] = [
    ...(openai ? (['openai'] as const) : []),
    ...(responses ? (['responses'] as const) : []),
    ...(messages === true ? (['messages'] as const) : []),
  ];
  const [surface, other] = chosen;
  if (surface === undefined) return undefined;
  const file = typeof messages === 'string' ? 'messages' : undefined;
  const excluded = other ?? file ?? LEFT_OUT.find((name) => options[name]);
  if (excluded === undefined) return surface;
  throw usageFailure(
    `--${surface} and ${renderOption(excluded)} were both given.`,
    `Pass --${surface} with --input, --var, --stream or --idempotency-key; its line takes the token from NEURON_API_KEY.`,
  );
}

interface SurfaceCall {
  readonly input: string;
  readonly stream: boolean;
  readonly idempotencyKey: string | undefined;
  readonly variables?: VariableValues | undefined;
}

/** Metadata of these forms are texts. */
function toMetadata(variables: VariableValues | undefined): object {
  return variables === undefined ? {} : { metadata: { variables: JSON.stringify(variables) } };
}

/** The key comes from the environment, so that the line holds no secret. */
export function renderSurfaceCurl(
  surface: SurfaceName,
  baseUrl: string,
  { organization, neuron }: NeuronTarget,
  { input, stream, idempotencyKey, variables }: SurfaceCall,
): string {
  const { path, headers, body } = SURFACES[surface];
  const url = `${baseUrl.replace(/\/+$/, '')}/v1/${organization}/${neuron}/${path}`;
  const members = {
    model: `${organization}/${neuron}`,
    ...body(input),
    ...(stream && { stream }),
    ...toMetadata(variables),
  };
  const quoted = [
    'content-type: application/json',
    ...headers,
    ...(idempotencyKey === undefined ? [] : [`idempotency-key: ${idempotencyKey}`]),
  ].map((header) => `-H ${quote(header)}`);
  return [
    `curl ${stream ? '-sN' : '-s'} ${quote(url)}`,
    `-H "authorization: Bearer $NEURON_API_KEY"`,
    ...quoted,
    `-d ${quote(JSON.stringify(members))}`,
  ].join(' ');
}

function chatBody(input: string) {
  return { messages: [{ role: 'user', content: input }] };
}

/** As one word of a POSIX shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function renderOption(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
