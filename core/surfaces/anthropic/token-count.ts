// Renders a count of tokens (platform.claude.com/docs/en/api/messages-count-tokens).
import { FIXED_HEADERS } from '../../contract/headers.ts';
import type { Answer } from '../surface.ts';
import { requestIdHeaders } from './errors.ts';

export function renderTokenCount(tokens: number, executionId: string): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', ...FIXED_HEADERS, ...requestIdHeaders(executionId) },
    body: JSON.stringify({ input_tokens: tokens }),
  };
}
