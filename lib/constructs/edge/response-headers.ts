// Response headers in API Gateway's notation: literals in single quotes, everything else a mapping expression.
import { CORS } from '../../../core/contract/headers.ts';

/** The request id that a caller cannot choose, as a mapping expression; `$` goes before it in a template. */
export const EXECUTION_ID = 'context.extendedRequestId';

/** A literal value. None of ours holds a single quote, which API Gateway could not carry. */
export function literal(value: string): string {
  if (value.includes("'")) throw new Error(`API Gateway cannot carry a quote in a header: ${value}`);
  return `'${value}'`;
}

/** What lets a page of any origin read an answer. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': literal(CORS.allowOrigin),
  'Access-Control-Expose-Headers': literal(CORS.exposeHeaders.join(',')),
} as const;

/** The headers of an answer preceded by those of CORS, as literals; an execution id as its expression. */
export function responseHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(headers)
    // The template's key says it.
    .filter(([name]) => name !== 'Content-Type')
    .map(([name, value]) => [name, value === `$${EXECUTION_ID}` ? EXECUTION_ID : literal(value)]);
  return { ...CORS_HEADERS, ...Object.fromEntries(own) };
}
