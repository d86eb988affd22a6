// Renders an error for clients of Responses: OpenAI's form, in the names of this interface.
import type { ErrorCode } from '../../contract/error-codes.ts';
import { renderOpenaiError } from '../openai/errors.ts';
import type { Answer, ErrorDetail } from '../surface.ts';

/** Texts for codes whose own text speaks of another form. */
const TEXTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  malformed_json: 'The request body is not valid JSON. Send a response: {"model":"...","input":"..."}.',
  malformed_body: 'The request body must be a JSON object: {"model":"...","input":"..."}.',
  invalid_input: 'Send a text or a list of items as "input".',
};

/** Members that a code is always about. */
const PARAMS: Readonly<Partial<Record<ErrorCode, string>>> = { context_too_long: 'messages' };

/** The service's own names of members, and those of this interface; a quotation mark or the start of a path stands before each. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/(^|")parameters\.maxTokens\b/g, '$1max_output_tokens'],
  [/(^|")responseFormat\b/g, '$1text.format'],
  [/(^|")parameters\.reasoningEffort\b/g, '$1reasoning.effort'],
  [/(^|")thinking\b/g, '$1reasoning'],
  [/(^|")messages\b/g, '$1input'],
];

export function renderResponsesError(code: ErrorCode, detail: Omit<ErrorDetail, 'invocation'>): Answer {
  const { text = TEXTS[code], param = PARAMS[code] } = detail;
  return renderOpenaiError(code, {
    ...detail,
    ...(text === undefined ? {} : { text: inTheseNames(text) }),
    ...(param === undefined ? {} : { param: inTheseNames(param) }),
  });
}

/** A path or a text in the names of this interface. */
export function inTheseNames(text: string): string {
  return NAMES.reduce((changed, [from, to]) => changed.replace(from, to), text);
}
