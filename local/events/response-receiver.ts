// Receives the responses of custom resources' functions, each by PUT to the URL that its request named.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { listenOnLoopback } from '../loopback/listen.ts';

/** What a function answers (CloudFormation User Guide, "Custom resource response objects"). */
export interface CustomResourceAnswer {
  readonly Status?: string;
  readonly Reason?: string;
  readonly PhysicalResourceId?: string;
  readonly Data?: Readonly<Record<string, unknown>>;
}

/** Waits for answers. */
export interface ResponseReceiver {
  /** A URL for one request, and what will be put to it. */
  expect(): { readonly url: string; readonly answer: Promise<CustomResourceAnswer> };
  stop(): Promise<void>;
}

const LONGEST_ANSWER_BYTES = 64 * 1024;

/** Starts the receiver on 127.0.0.1. */
export async function startResponseReceiver(): Promise<ResponseReceiver> {
  const expected = new Map<string, (answer: CustomResourceAnswer) => void>();
  const server = createServer((request, response) => {
    const resolve = expected.get(request.url ?? '');
    let text = '';
    request.on('data', (bytes: Buffer) => {
      text += String(bytes);
      if (text.length > LONGEST_ANSWER_BYTES) request.destroy();
    });
    request.on('end', () => {
      const answer = parse(text);
      response.statusCode =
        resolve === undefined || request.method !== 'PUT' ? 403 : answer === undefined ? 400 : 200;
      response.end();
      if (response.statusCode === 200 && answer !== undefined) resolve?.(answer);
    });
  });
  const { origin, stop } = await listenOnLoopback(server);
  return {
    expect: () => {
      const path = `/${randomBytes(16).toString('hex')}`;
      const answer = new Promise<CustomResourceAnswer>((resolve) => expected.set(path, resolve));
      return { url: `${origin}${path}`, answer };
    },
    stop,
  };
}

function parse(text: string): CustomResourceAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
