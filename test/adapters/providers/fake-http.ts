// An `Http` without a network: answers what a test tells it and keeps what was sent.
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { HttpRequest, OpenHttp } from '../../../adapters/http/message.ts';
import { readingWhole } from '../../../adapters/http/read-whole.ts';

/** An answer as fixtures hold it; `body` is sent as JSON unless it is text. */
export interface FakeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A recorded stream in place of the body, written in `encoding`. */
  readonly stream?: string;
  readonly encoding?: BufferEncoding;
}

/** Answers each request with the next answer, and with the last one ever after. */
export function createFakeHttp(...answers: readonly (FakeAnswer | Error)[]) {
  const requests: Omit<HttpRequest, 'maxBytes'>[] = [];
  const openHttp: OpenHttp = async (request) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    if (answer === undefined || answer instanceof Error) throw answer;
    const { status, headers = {}, body } = answer;
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? null));
    return { status, headers, body: Readable.from([bytes]), close: () => undefined };
  };
  return { http: readingWhole(openHttp), openHttp, requests };
}

/** A recorded answer of an OpenAI-compatible endpoint; source and date are inside the file. */
export function readOpenaiFixture(name: string): FakeAnswer {
  return JSON.parse(
    readFileSync(new URL(`openai/fixtures/${name}.json`, import.meta.url), 'utf8'),
  ) as FakeAnswer;
}
