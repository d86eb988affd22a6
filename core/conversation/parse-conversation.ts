// Reads the members of a request body that reach a model: `input` or `messages`, tools, format and parameters.
import { ServiceError } from '../contract/service-error.ts';
import { isJsonObject, type JsonObject } from '../text/json.ts';
import { checkTranscript, MAX_DOCUMENTS, MAX_IMAGES } from './check-transcript.ts';
import { type CallerParameters, type Conversation, plainTextOf, userMessage } from './conversation.ts';
import { MESSAGES } from './parse-messages.ts';
import { PARAMETERS } from './parse-parameters.ts';
import { parseToolChoice, RESPONSE_FORMAT, TOOL_CHOICE, TOOLS } from './parse-tools.ts';
import { anything, invalidAt, type LocatedValue, noted, type Reader, TEXT } from './reader.ts';
import { bytesOfConversation } from './size.ts';
import type { SentVariables } from './variables/read-variables.ts';

/** Read when the version is known that declares them. */
const VARIABLES = anything({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  description: 'Values for the variables that the neuron declares, by name.',
});

/** The members of a request, as docs/openapi.json describes them. */
export const REQUEST_MEMBERS = {
  input: noted(TEXT, { default: '', description: 'The text that the neuron works on; or `messages`.' }),
  messages: noted(MESSAGES, {
    description: `A conversation, in place of \`input\`. It ends with a user, the results of tools, or the beginning of an answer, and has at most ${MAX_IMAGES} images and ${MAX_DOCUMENTS} documents.`,
  }),
  tools: TOOLS,
  toolChoice: TOOL_CHOICE,
  responseFormat: RESPONSE_FORMAT,
  parameters: PARAMETERS,
  variables: VARIABLES,
} as const satisfies Readonly<Record<string, Pick<Reader<unknown>, 'schema'>>>;

type Body = JsonObject;

/**
 * Throws 422: `invalid_input` with the path of the first mistake, `input_too_large` where the texts of the whole conversation take
 * more than `maxInputBytes` of UTF-8.
 */
export function parseConversation(body: Body, maxInputBytes: number): Conversation {
  const { system, messages } = parseTurns(body);
  const tools = parseMember(body, 'tools', TOOLS.read) ?? [];
  const toolChoice = parseMember(body, 'toolChoice', (member) => parseToolChoice(member, tools));
  const format = parseMember(body, 'responseFormat', RESPONSE_FORMAT.read);
  const conversation: Conversation = {
    system,
    messages,
    tools,
    parameters: withoutParallel(parseMember(body, 'parameters', PARAMETERS.read) ?? {}, tools),
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...format,
  };
  if (bytesOfConversation(conversation) > maxInputBytes) {
    throw new ServiceError(
      'input_too_large',
      plainTextOf(conversation) === undefined || !Object.hasOwn(body, 'input')
        ? { detail: 'The conversation is longer than this neuron allows.' }
        : {},
    );
  }
  return conversation;
}

/** Without tools there is no call to be alone. */
export function withoutParallel(
  { parallelToolCalls, ...parameters }: CallerParameters,
  tools: Conversation['tools'],
): CallerParameters {
  return parallelToolCalls === undefined || tools.length === 0
    ? parameters
    : { ...parameters, parallelToolCalls };
}

/** The values of a body in the native form. */
export function sentVariables(body: Body): SentVariables | undefined {
  const sent = memberAt(body, 'variables');
  if (sent === undefined) return undefined;
  const isAlone = !Object.hasOwn(body, 'input') && memberAt(body, 'messages') === undefined;
  return { ...sent, ...(isAlone ? { isAlone } : {}) };
}

function parseTurns(body: Body): Pick<Conversation, 'system' | 'messages'> {
  const value = Object.hasOwn(body, 'messages') ? body['messages'] : undefined;
  const hasInput = Object.hasOwn(body, 'input');
  if (value === undefined || (value === null && hasInput)) {
    requireInput(body);
    return { system: [], messages: [userMessage(parseInput(body))] };
  }
  const messages = { path: 'messages', value };
  // Null beside `messages` is absent; alone it is a mistake, so that no model is asked nothing.
  if (hasInput && body['input'] !== null) {
    throw new ServiceError('invalid_input', {
      detail: '"input" and "messages" exclude each other: send one.',
    });
  }
  return checkTranscript(MESSAGES.read(messages));
}

/** Members in which other APIs take the text. */
const MISPLACED_INPUT = ['prompt', 'text'] as const;

/** Throws for a body that has members, and neither an input nor variables: a misspelled one must not run a model on nothing. `{}` is the empty input. */
function requireInput(body: Body): void {
  if (Object.hasOwn(body, 'input') || Object.keys(body).length === 0) return;
  if (isJsonObject(memberAt(body, 'variables')?.value)) return;
  const member = MISPLACED_INPUT.find((name) => Object.hasOwn(body, name));
  throw new ServiceError('invalid_input', {
    param: 'input',
    detail:
      member === undefined
        ? '"input" is missing, and so is "messages". Send one of them; the empty text is {"input":""}.'
        : `Send "input" or "messages" in place of "${member}".`,
  });
}

/** The empty text when absent; anything but a text, null included, is a mistake. */
function parseInput(body: Body): string {
  if (!Object.hasOwn(body, 'input')) return '';
  const input = body['input'];
  if (typeof input !== 'string') throw new ServiceError('invalid_input');
  if (!input.isWellFormed()) throw invalidAt('input', 'must be well-formed Unicode');
  return input;
}

function parseMember<T>(body: Body, name: string, parse: (member: LocatedValue) => T): T | undefined {
  const member = memberAt(body, name);
  return member === undefined ? undefined : parse(member);
}

/** Null is absent: clients send it for members that were not set. */
function memberAt(body: Body, name: string): LocatedValue | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  return value === undefined || value === null ? undefined : { path: name, value };
}
