// Reads whole answers of bounded size.
import { HttpFailure } from './failure.ts';
import type { Http, OpenAnswer, OpenHttp } from './message.ts';

/** Sends requests by `open` and resolves with their answers when they are whole. */
export function readingWhole(open: OpenHttp): Http {
  return async (request) => {
    const answer = await open(request);
    const { status, headers } = answer;
    if (request.reads?.(status) === false) {
      answer.close();
      return { status, headers, body: new Uint8Array() };
    }
    const body = await readWhole(answer, request.maxBytes, new URL(request.url).hostname);
    return { status, headers, body };
  };
}

/** Throws `HttpFailure`, `too_large` where the body has, or announces, more bytes than that. */
export async function readWhole(answer: OpenAnswer, maxBytes: number, hostname: string): Promise<Uint8Array> {
  const tooLarge = () => new HttpFailure('too_large', `${hostname} answered more than ${maxBytes} bytes`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    for await (const chunk of answer.body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } finally {
    answer.close();
  }
  return Buffer.concat(chunks);
}
