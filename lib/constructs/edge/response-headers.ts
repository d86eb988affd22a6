// Response headers in API Gateway's notation: a literal is in single quotes, anything else is a mapping expression.
import { CORS } from '../../../core/contract/headers.ts';

/** The request id that a caller cannot choose, as a mapping expression; `$` goes before it in a template. */
export const EXECUTION_ID = 'context.extendedRequestId';

/** A literal value. Throws on a single quote, which API Gateway's notation cannot express. */
export function literal(value: string): string {
  if (value.includes("'"))
    throw new Error(`API Gateway cannot express a single quote in a header value: ${value}`);
  return `'${value}'`;
}

/** Let a page of any origin read a response. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': literal(CORS.allowOrigin),
  'Access-Control-Expose-Headers': literal(CORS.exposeHeaders.join(',')),
} as const;

/** The CORS headers and those of a response, as literals; the execution id as its mapping expression. */
export function responseHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(headers)
    // The key of the response template sets it.
    .filter(([name]) => name !== 'Content-Type')
    .map(([name, value]) => [name, value === `$${EXECUTION_ID}` ? EXECUTION_ID : literal(value)]);
  return { ...CORS_HEADERS, ...Object.fromEntries(own) };
}
