// Requests whose header lines are exactly as a test writes them: doubled, in any case, with any bytes.
import { expect } from 'vitest';
import { sendRaw } from './call.ts';

/** POSTs an empty object; gives status line, headers and body as they came. */
export function sendLines(origin: string, path: string, ...lines: readonly string[]): Promise<string> {
  const always = ['Host: localhost', 'Content-Length: 2', 'Connection: close'];
  return sendRaw(origin, [[`POST ${path} HTTP/1.1`, ...always, ...lines, '', '{}'].join('\r\n')]);
}

/** An error of the contract, with CORS. */
export function expectRawError(answer: string, status: number, code: string): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain(`"code":"${code}"`);
  expect(answer.toLowerCase()).toContain('access-control-allow-origin: *');
}
