// The limits of requests that are passed on: none may ask a vendor, in the operator's name, to spend more than tokens, to reach out, to keep something.
import { invalidAt } from '../../conversation/reader.ts';
import { isJsonObject, type JsonObject, memberOf, toList } from '../../text/json.ts';

type Harmless = (value: unknown) => boolean;

const isNever: Harmless = () => false;
const isEmpty: Harmless = (value) => Array.isArray(value) && value.length === 0;
const isOneOf =
  (...values: readonly unknown[]): Harmless =>
  (value) =>
    values.includes(value);

interface Denial {
  readonly why: string;
  /** Values that ask for nothing. */
  readonly isHarmless: Harmless;
}

const SPENDS = 'is not passed on: it would change what the vendor charges';
const REACHES = 'is not passed on: it would have the vendor reach out in the name of the operator';
const KEEPS = 'is not passed on: it names what is kept at the vendor, for all callers of the operator';

/** Members of the body (@anthropic-ai/sdk 1.12.0, MessageCreateParams of `messages` and `beta.messages`). Null is absent. */
export const DENIED_MEMBERS: Readonly<Record<string, Denial>> = {
  billing_policy: { why: SPENDS, isHarmless: isNever },
  fallbacks: { why: SPENDS, isHarmless: isEmpty },
  inference_geo: { why: SPENDS, isHarmless: isNever },
  service_tier: { why: SPENDS, isHarmless: isOneOf('auto', 'standard_only') },
  speed: { why: SPENDS, isHarmless: isOneOf('standard') },
  mcp_servers: { why: REACHES, isHarmless: isEmpty },
  compaction: { why: KEEPS, isHarmless: isNever },
  container: { why: KEEPS, isHarmless: isNever },
  thread: { why: KEEPS, isHarmless: isNever },
  user_profile_id: { why: KEEPS, isHarmless: isNever },
  workspace_id: { why: KEEPS, isHarmless: isNever },
};

/** Tools that run at the vendor, by the beginning of their type. Those that the caller runs itself, and the search among tools, are passed on. */
export const DENIED_TOOLS: readonly (readonly [string, string])[] = [
  ['web_search', SPENDS],
  ['web_fetch', REACHES],
  ['code_execution', SPENDS],
  ['advisor', SPENDS],
  ['mcp_toolset', REACHES],
];

/** Sources of images and documents. */
export const DENIED_SOURCES: Readonly<Record<string, string>> = { url: REACHES, file: KEEPS };

const DENIED_BLOCKS: Readonly<Record<string, string>> = { container_upload: KEEPS };

/** Throws `invalid_input` with the path of the first of them. */
export function rejectDenied(body: JsonObject): void {
  for (const [name, { why, isHarmless }] of Object.entries(DENIED_MEMBERS)) {
    const value = memberOf(body, name);
    if (value !== undefined && value !== null && !isHarmless(value)) throw invalidAt(name, why);
  }
  for (const [index, tool] of toList(body['tools']).entries()) {
    const type = memberOf(tool, 'type');
    const denied = DENIED_TOOLS.find(([prefix]) => typeof type === 'string' && type.startsWith(prefix));
    if (denied !== undefined) throw invalidAt(`tools[${index}].type`, denied[1]);
  }
  for (const [index, edit] of toList(memberOf(body['context_management'], 'edits')).entries()) {
    const type = memberOf(edit, 'type');
    // The vendor charges its summaries beside the tokens of the answer.
    if (typeof type === 'string' && type.startsWith('compact'))
      throw invalidAt(`context_management.edits[${index}].type`, SPENDS);
  }
  rejectBlocks(body['system'], 'system');
  for (const [index, message] of toList(body['messages']).entries()) {
    rejectBlocks(memberOf(message, 'content'), `messages[${index}].content`);
  }
}

/** Blocks may hold others, as results of tools and documents do. */
function rejectBlocks(blocks: unknown, path: string): void {
  const left: (readonly [unknown, string])[] = [[blocks, path]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, at] = next;
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) left.push([one, `${at}[${index}]`]);
    } else if (isJsonObject(value)) {
      rejectBlock(value, at);
      left.push([value['content'], `${at}.content`], [value['source'], `${at}.source`]);
    }
  }
}

function rejectBlock(value: JsonObject, path: string): void {
  const { type } = value;
  if (typeof type !== 'string') return;
  const isSource = path.endsWith('.source');
  const table = isSource ? DENIED_SOURCES : DENIED_BLOCKS;
  const why = Object.hasOwn(table, type) ? table[type] : undefined;
  if (why !== undefined) throw invalidAt(`${path}.type`, why);
}
