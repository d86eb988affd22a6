// Sends the answers of the console: files, JSON, lines and failures, all with headers that isolate the page.
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { CommandFailure } from '../output/failure.ts';
import type { ConsoleFailure } from './api.ts';
import type { PageFile } from './page-files.ts';

/**
 * Only files of the page itself run and are drawn, no page may frame this one, and no text can become markup (Trusted Types).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** A failure within this time gets a status of its own; a later one is the last line. */
const FIRST_LINE_WAIT_MS = 200;

/** Sends JSON objects as they come, one a line. A failure before the first gets a status of its own; a later one is the last line. */
export async function sendLines(response: ServerResponse, lines: AsyncIterable<unknown>): Promise<void> {
  const iterator = lines[Symbol.asyncIterator]();
  const first = iterator.next();
  // The first line may take long. The headers tell the page that it is connected.
  const hasFirst = await Promise.race([first.then(() => true), setTimeout(FIRST_LINE_WAIT_MS, false)]);
  let next = hasFirst ? await first : undefined;
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
  response.flushHeaders();
  try {
    for (next ??= await first; !next.done && !response.destroyed; next = await iterator.next())
      response.write(`${JSON.stringify(next.value)}\n`);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { what, why, remedy } = error.detail;
    response.write(`${JSON.stringify({ error: { what, why, remedy } } satisfies ConsoleFailure)}\n`);
  }
  response.end();
}

export function sendFile(response: ServerResponse, file: PageFile | undefined): void {
  if (file === undefined) {
    sendFailure(response, 404, { what: 'There is no such file.' });
    return;
  }
  response.writeHead(200, { 'Content-Type': file.type });
  response.end(file.body);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}

export function sendFailure(
  response: ServerResponse,
  status: number,
  { what, why, remedy }: ConsoleFailure['error'],
): void {
  sendJson(response, status, { error: { what, why, remedy } } satisfies ConsoleFailure);
}
