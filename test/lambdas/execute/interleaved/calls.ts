// Any call, and how its request is written on each surface.
import fc from 'fast-check';
import { NEURONS, type NeuronName, ORGANIZATIONS } from './organizations.ts';

const SURFACES = ['native', 'openai', 'responses', 'anthropic', 'mcp', 'embeddings'] as const;

export interface ManyCall {
  readonly organization: string;
  readonly neuron: NeuronName;
  readonly surface: (typeof SURFACES)[number];
  readonly stream: boolean;
  /** At the URL of the organization, with a key of all of its neurons. */
  readonly isOfOrganization: boolean;
  /** After as many turns of the event loop the function is about to be ended; absent for most. */
  readonly killedAfter: number | undefined;
  /** The caller leaves after the first piece of its stream. */
  readonly leaves: boolean;
  /** The texts of `cached` and `once` are those of other calls too. */
  readonly topic: number;
  /** Turns of the event loop until it comes. */
  readonly startsAfter: number;
  /** The guard by a service is to block it. */
  readonly isBad: boolean;
}

export const TOPICS = 2;
/** Neurons at which calls meet those of others: more often than at the rest. */
const MEETING = ['cached', 'once', 'cached', 'once', 'limited'] as const;

/** Few organizations ask the same, an idempotency key in one form of a request. */
function meet<Call extends ManyCall>(one: Call): Call {
  const organization = ORGANIZATIONS[Number(one.organization.slice('org-'.length)) % 3] ?? one.organization;
  if (one.neuron !== 'once') return { ...one, organization };
  return {
    ...{ ...one, organization, isOfOrganization: false },
    surface: one.topic === 0 ? 'native' : 'openai',
    stream: one.stream && one.startsAfter < 10,
  };
}

const oneIn = (count: number) => fc.integer({ min: 1, max: count }).map((one) => one === 1);

export const anyCall: fc.Arbitrary<ManyCall> = fc
  .record({
    organization: fc.constantFrom(...ORGANIZATIONS),
    neuron: fc.constantFrom(...NEURONS, ...MEETING),
    surface: fc.constantFrom(...SURFACES),
    stream: fc.boolean(),
    isOfOrganization: fc.boolean(),
    killedAfter: fc.nat(150).map((turns) => (turns > 25 ? undefined : turns)),
    leaves: oneIn(8),
    topic: fc.nat(TOPICS - 1),
    startsAfter: fc.nat(60),
    isBad: oneIn(3),
  })
  .map((one) => (isShared(one) ? meet(one) : one))
  .map((one) => ({
    ...one,
    neuron: one.surface === 'embeddings' ? 'vectors' : one.neuron,
    stream: one.stream && one.surface !== 'mcp' && one.surface !== 'embeddings',
    isOfOrganization: (one.isOfOrganization && one.surface !== 'native') || one.surface === 'mcp',
  }));

/** In words that no event cuts in a way that JSON would write otherwise. */
export const markOf = (index: number) => `mark${index}end`;
const MARKS = /mark\d+end/g;
const AUTHORS = /by-org-\d/g;

export const marksIn = (text: string): ReadonlySet<string> => new Set(text.match(MARKS));
/** The organizations whose keys the models of these answers were called with. */
export const authorsIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(AUTHORS) ?? []).map((author) => author.slice('by-'.length)));

/** True where the text is that of other calls too. */
export function isShared({ neuron }: Pick<ManyCall, 'neuron'>): boolean {
  return neuron === 'cached' || neuron === 'once';
}

export const textOf = (one: ManyCall, index: number): string =>
  isShared(one)
    ? `topic ${one.topic}`
    : `I am ${markOf(index)}@mail.example.com${one.neuron === 'served' && one.isBad ? ' and bad' : ''}`;

export function bodyOf({ neuron, surface, stream }: ManyCall, text: string): object {
  const messages = [{ role: 'user', content: text }];
  switch (surface) {
    case 'native':
      return { input: text };
    case 'responses':
      return { model: neuron, input: text, stream };
    case 'embeddings':
      return { model: neuron, input: text };
    case 'openai':
      return { model: neuron, messages, stream };
    case 'anthropic':
      return { model: neuron, messages, stream, max_tokens: 99 };
    case 'mcp':
      return {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: neuron, arguments: { input: text } },
      };
  }
}

/** The trace of the caller: a trace id of its own. */
export const traceIdOf = (index: number) => (index + 1).toString(16).padStart(32, '0');
export const traceparentOf = (index: number) => `00-${traceIdOf(index)}-${'b'.repeat(16)}-01`;

/** The texts of all events as one, before the answer itself: a mark may be cut between two of them. */
export function wholeText(answer: string): string {
  if (!answer.includes('data: ')) return answer;
  const pieces = answer.split('\n').flatMap((line) => {
    if (!line.startsWith('data: {')) return [];
    const { text, delta, choices } = JSON.parse(line.slice(6));
    return [text ?? choices?.[0]?.delta?.content ?? (typeof delta === 'string' ? delta : delta?.text) ?? ''];
  });
  return `${pieces.join('')} ${answer}`;
}
