// Renders an error for clients of Responses: OpenAI's form, in the names of this interface.

import type { ErrorCode } from '../../contract/error-codes.ts';
import { QUOTED_PATH, renderOpenaiError } from '../openai/errors.ts';
import { type CallerNames, renamePath } from '../paths.ts';
import type { Answer, ErrorDetail } from '../surface.ts';

/** Texts for codes whose own text speaks of another form. */
const TEXTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  malformed_json: 'The request body is not valid JSON. Send a response: {"model":"...","input":"..."}.',
  malformed_body: 'The request body must be a JSON object: {"model":"...","input":"..."}.',
  invalid_input: 'Send a text or a list of items as "input".',
};

/** Members that a code is always about. */
const PARAMS: Readonly<Partial<Record<ErrorCode, string>>> = { context_too_long: 'messages' };

/** The service's own names of members, which are those of Chat Completions within messages, and those of this interface. */
const NAMES: CallerNames = [
  [/^parameters\.maxTokens/, 'max_output_tokens'],
  [/^parameters\.reasoningEffort/, 'reasoning.effort'],
  [/^parameters\.verbosity/, 'text.verbosity'],
  [/^promptCacheKey/, 'prompt_cache_key'],
  [/^responseFormat/, 'text.format'],
  [/^text\.format\.json_schema/, 'text.format'],
  [/^thinking/, 'reasoning'],
  [/^messages/, 'input'],
  [/^(input\[\d+\])\.function\./, '$1.'],
  [/^(input\[\d+\])\.id$/, '$1.call_id'],
  [/\.image_url\.url$/, '.image_url'],
  [/\.(?:image_url|file)\.(\w+)$/, '.$1'],
];

export function renderResponsesError(code: ErrorCode, detail: Omit<ErrorDetail, 'invocation'>): Answer {
  const { text = TEXTS[code], param = PARAMS[code] } = detail;
  return renderOpenaiError(code, {
    ...detail,
    ...(text === undefined
      ? {}
      : { text: text.replace(QUOTED_PATH, (_, path) => `"${toResponsesName(path)}"`) }),
    ...(param === undefined ? {} : { param: toResponsesName(param) }),
  });
}

/** A path in the names of this interface. */
export function toResponsesName(path: string): string {
  return renamePath(path, NAMES);
}
