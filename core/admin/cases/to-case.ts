// Turns an entry of the log into a case of a test: what its caller sent, and no answer.
import type { LogEntry } from '../../contract/log-entry.ts';
import type { Variable, Variables } from '../../settings/variables/variables-schema.ts';
import { isJsonObject, type JsonObject, memberOf, parseJson, textMemberOf, toList } from '../../text/json.ts';

interface CaseMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A case as a document of tests has it. Its assertions are for its author to write. */
export interface LoggedCase {
  readonly name: string;
  readonly input?: string;
  readonly messages?: readonly CaseMessage[];
  readonly variables?: Readonly<Record<string, string | number | boolean>>;
  readonly assert: readonly never[];
}

type CaseContent = Pick<LoggedCase, 'input' | 'messages' | 'variables'>;

/** Reasons for which an entry is no case. */
export type NoCase = 'notInFull' | 'files' | 'tools' | 'vectors';

/** `declared`: the variables of the version that answered. */
export function toCase(
  entry: Pick<LogEntry, 'executionId' | 'version' | 'input'> & { readonly surface?: string | undefined },
  declared: Variables,
): LoggedCase | NoCase {
  const { input, executionId, version, surface } = entry;
  if (surface === 'embeddings') return 'vectors';
  if (input === undefined || input.kind !== 'full' || input.cut === true) return 'notInFull';
  const content = readContent(input.text, declared);
  if (typeof content === 'string') return content;
  return { name: `${executionId} ${version ?? ''}`.trim(), ...content, assert: [] };
}

/** A text that stands for itself, or the JSON of a conversation or of variables: docs/logs.md. */
function readContent(text: string, declared: Variables): CaseContent | NoCase {
  const parsed = parseJson(text);
  if (!isJsonObject(parsed)) return { input: text };
  const variables = readVariables(parsed['variables'], declared);
  if (isConversation(parsed)) {
    const messages = readMessages(parsed);
    return typeof messages === 'string' ? messages : { messages, ...variables };
  }
  const hasVariables = Object.keys(declared).length > 0 && isJsonObject(parsed['variables']);
  const { input } = parsed;
  return hasVariables && typeof input === 'string' ? { input, ...variables } : { input: text };
}

/** Members that every logged conversation has. */
function isConversation({ system, messages, tools, parameters }: JsonObject): boolean {
  return [system, messages, tools].every(Array.isArray) && isJsonObject(parameters);
}

/** The log has texts alone; a case has the types that a caller sends. Texts that are empty were not sent. */
function readVariables(logged: unknown, declared: Variables): Pick<CaseContent, 'variables'> {
  const values = Object.entries(declared).flatMap(([name, variable]) => {
    const text = memberOf(logged, name);
    return typeof text === 'string' && (text !== '' || variable.required)
      ? [[name, toValue(variable, text)] as const]
      : [];
  });
  return values.length === 0 ? {} : { variables: Object.fromEntries(values) };
}

/** A value that a guard has changed is no number any more. */
function toValue({ type }: Variable, text: string): string | number | boolean {
  if (type === 'boolean') return text === 'true';
  const value = Number(text);
  return type === 'number' && text !== '' && Number.isFinite(value) ? value : text;
}

function readMessages({ system, messages, tools }: JsonObject): readonly CaseMessage[] | NoCase {
  if (toList(tools).length > 0) return 'tools';
  const read: CaseMessage[] = toList(system).map((block) => ({ role: 'system', content: textOf(block) }));
  for (const message of toList(messages)) {
    const one = readMessage(message);
    if (typeof one === 'string') return one;
    read.push(one);
  }
  return read;
}

function textOf(value: unknown): string {
  return textMemberOf(value, 'text') ?? '';
}

function readMessage(message: unknown): CaseMessage | NoCase {
  const role = memberOf(message, 'role');
  if (role === 'system') return { role, content: textOf(message) };
  if (role !== 'user' && role !== 'assistant') return 'tools';
  const parts = toList(memberOf(message, role === 'assistant' ? 'blocks' : 'content'));
  const types = parts.map((part) => memberOf(part, 'type'));
  if (types.includes('toolCall')) return 'tools';
  // Thoughts are for their provider alone.
  if (types.some((type) => type !== 'text' && type !== 'reasoning')) return 'files';
  const texts = parts.flatMap((part) => (memberOf(part, 'type') === 'text' ? [textOf(part)] : []));
  return { role, content: texts.join(role === 'assistant' ? '' : '\n') };
}
