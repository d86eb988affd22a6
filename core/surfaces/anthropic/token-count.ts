// Renders a count of tokens (platform.claude.com/docs/en/api/messages-count-tokens).
import { jsonAnswer } from '../headers.ts';
import type { Answer } from '../surface.ts';
import { requestIdHeaders } from './errors.ts';

export function renderTokenCount(tokens: number, executionId: string): Answer {
  return jsonAnswer(requestIdHeaders(executionId), { input_tokens: tokens });
}
