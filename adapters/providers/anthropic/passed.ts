// A request for a message that is passed on, and the message that comes back: what is changed, and what is counted.
import type { ModelRequest, TokenUsage } from '../../../core/ports/providers.ts';
import { parseExactJson } from '../../../core/text/exact-json.ts';
import {
  isJsonObject,
  type JsonObject,
  memberOf,
  textMemberOf,
  toJsonObject,
  toList,
} from '../../../core/text/json.ts';

/** The members of a request that decide on its body. */
export type PassedOn = Pick<ModelRequest, 'model' | 'maxTokens'> & Required<Pick<ModelRequest, 'passed'>>;

export function isPassed<Request extends Pick<ModelRequest, 'passed'>>(
  request: Request,
): request is Request & Required<Pick<ModelRequest, 'passed'>> {
  return request.passed !== undefined;
}

/** The caller's body for this model, within the limit of tokens, behind the flow's own text. */
export function buildPassedRequest({ model, maxTokens, passed }: PassedOn): JsonObject {
  const { stream: _stream, thinking, ...body } = passed.body;
  const budgeted = withinLimit(thinking, maxTokens);
  return {
    ...body,
    model,
    max_tokens: maxTokens,
    ...(budgeted === undefined ? {} : { thinking: budgeted }),
    ...toSystem(passed),
  };
}

/** The least that the API takes. */
const MIN_BUDGET = 1_024;

/** The API takes no budget for thoughts that is not below the limit of tokens. */
function withinLimit(thinking: unknown, maxTokens: number): unknown {
  const budget = memberOf(thinking, 'budget_tokens');
  if (!isJsonObject(thinking) || typeof budget !== 'number' || budget < maxTokens) return thinking;
  return maxTokens - 1 < MIN_BUDGET ? undefined : { ...thinking, budget_tokens: maxTokens - 1 };
}

/** The caller's blocks stay as they are: prompt caches begin with them. */
function toSystem({ body, ownSystem }: PassedOn['passed']): JsonObject {
  const { system } = body;
  if (ownSystem === undefined) return {};
  const callers = typeof system === 'string' ? [{ type: 'text', text: system }] : toList(system);
  return { system: [{ type: 'text', text: ownSystem }, ...callers] };
}

/** True where the limit of tokens leaves no room for the thoughts that the caller asks for. */
export function dropsThinking({ maxTokens, passed }: PassedOn): boolean {
  const { thinking } = passed.body;
  return thinking !== undefined && withinLimit(thinking, maxTokens) === undefined;
}

export function passedHeaders({
  version,
  betas,
}: Pick<PassedOn['passed'], 'version' | 'betas'>): Record<string, string> {
  return {
    'anthropic-version': version,
    ...(betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') }),
  };
}

/** Counts that prices are for, or that are parts of these. */
const COUNTED: ReadonlySet<string> = new Set([
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'cache_creation',
  'output_tokens_details',
]);

/** The usage of a message, marked where its provider counted what has no price here, such as searches. */
export function markUnknown(usage: TokenUsage | undefined, counts: unknown): TokenUsage | undefined {
  if (usage === undefined || !isJsonObject(counts)) return usage;
  const others = Object.entries(counts).filter(([name]) => !COUNTED.has(name));
  return others.some(([, value]) => countsSomething(value)) ? { ...usage, isPartial: true } : usage;
}

const MAX_DEPTH = 5;

function countsSomething(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return value !== 0;
  if (typeof value !== 'object' || value === null) return false;
  return depth === MAX_DEPTH || Object.values(value).some((one) => countsSomething(one, depth + 1));
}

/** Puts a message together from its events, as clients do. */
export interface MessageCopy {
  add(event: JsonObject): void;
  message(): JsonObject;
}

/** The events of one message are in order by the time that they come here. */
export function createMessageCopy(): MessageCopy {
  let message: JsonObject = {};
  const blocks: OpenBlock[] = [];
  const open = new Map<unknown, OpenBlock>();
  const handlers: Readonly<Record<string, (event: JsonObject) => void>> = {
    message_start: (event) => {
      message = toJsonObject(event['message']) ?? {};
    },
    content_block_start: (event) => {
      const block = openBlock(toJsonObject(event['content_block']) ?? {});
      blocks.push(block);
      open.set(event['index'], block);
    },
    content_block_delta: (event) => {
      const block = open.get(event['index']);
      if (block !== undefined) addDelta(block, toJsonObject(event['delta']) ?? {});
    },
    message_delta: ({ type: _type, delta, usage, ...rest }) => {
      const counts = { ...toJsonObject(message['usage']), ...toJsonObject(usage) };
      message = { ...message, ...rest, ...toJsonObject(delta), usage: counts };
    },
  };
  return {
    add: (event) => handlers[textMemberOf(event, 'type') ?? '']?.(event),
    message: () => ({ ...message, content: blocks.map(closeBlock) }),
  };
}

interface OpenBlock {
  readonly start: JsonObject;
  /** Pieces of its texts, by the name of the member. */
  readonly texts: Map<string, string[]>;
  readonly citations: unknown[];
}

function openBlock(start: JsonObject): OpenBlock {
  return { start, texts: new Map(), citations: [] };
}

/** The member of a delta, and that of its block. */
const PIECES: ReadonlyMap<unknown, readonly [string, string]> = new Map([
  ['text_delta', ['text', 'text']],
  ['thinking_delta', ['thinking', 'thinking']],
  ['input_json_delta', ['partial_json', 'input']],
  ['signature_delta', ['signature', 'signature']],
] as const);

function addDelta({ texts, citations }: OpenBlock, delta: JsonObject): void {
  if (delta['type'] === 'citations_delta') citations.push(delta['citation']);
  const [from, to] = PIECES.get(delta['type']) ?? [];
  const piece = from === undefined ? undefined : delta[from];
  if (to === undefined || typeof piece !== 'string') return;
  const pieces = texts.get(to) ?? [];
  // A signature comes whole.
  if (to === 'signature') pieces.length = 0;
  pieces.push(piece);
  texts.set(to, pieces);
}

function closeBlock({ start, texts, citations }: OpenBlock): JsonObject {
  const added = [...texts].map(([name, pieces]) => {
    const text = pieces.join('');
    if (name === 'input') return [name, parseExactJson(text) ?? start[name]];
    const before = start[name];
    return [name, name !== 'signature' && typeof before === 'string' ? before + text : text];
  });
  return {
    ...start,
    ...Object.fromEntries(added),
    ...(citations.length === 0 ? {} : { citations: [...toList(start['citations']), ...citations] }),
  };
}
