// A proxy before the service that keeps every answer, and whose it was: the first part of the path says so, and is taken off.
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Answer, callUrl } from '../e2e/support/call.ts';

/** An answer as it came over the wire. */
export interface Recorded {
  readonly tag: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** What a browser asked before it sent a request, and what it was allowed. */
export interface Preflight {
  readonly tag: string;
  readonly asked: readonly string[];
  readonly allowed: readonly string[];
}

/**
 * `fill`: the first request of such a tag is sent until its limit refuses it, and gets that refusal. `onBegun`: the first bytes of an answer
 * of this tag are here.
 */
export async function startRecorder(
  target: string,
  fill: (tag: string) => boolean,
  onBegun: (tag: string) => void,
) {
  const recorded: Recorded[] = [];
  const preflights: Preflight[] = [];
  const filled = new Set<string>();
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const [, tag = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const method = request.method ?? 'GET';
    if (method !== 'OPTIONS' && fill(tag) && !filled.has(tag)) {
      filled.add(tag);
      const refusal = await exhaust(() =>
        callUrl(target, path, { method, body, headers: headersOf(request) }),
      );
      const { status, headers, text } = refusal;
      recorded.push({ tag, path, status, contentType: headers['content-type'] ?? '', body: text });
      response.writeHead(status, headers).end(text);
      return;
    }
    const upstream = httpRequest(new URL(path, target), { method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
      answer.once('data', () => onBegun(tag));
      if (method === 'OPTIONS') {
        const asked = namesIn(request.headers['access-control-request-headers']);
        preflights.push({ tag, asked, allowed: namesIn(answer.headers['access-control-allow-headers']) });
        return;
      }
      void buffer(answer).then((bytes) => {
        const { statusCode: status = 0, headers } = answer;
        recorded.push({
          tag,
          path,
          status,
          contentType: headers['content-type'] ?? '',
          body: bytes.toString(),
        });
      });
    });
    upstream.end(body);
  };
  const server = createServer((request, response) => void forward(request, response));
  // A client that is slow to come back must not find its connection closed in its face.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorded,
    preflights,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Past the border of a window, too: a limit of one refuses the second call within one. */
async function exhaust(call: () => Promise<Answer>): Promise<Answer> {
  for (let left = 20; left > 0; left -= 1) {
    const answer = await call();
    if (answer.status === 429) return answer;
  }
  throw new Error('the limit refuses nothing');
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return { authorization: headers.authorization ?? '' };
}

/** The header names of a list, in lower case. */
function namesIn(list = ''): readonly string[] {
  return list.split(',').map((name) => name.trim().toLowerCase());
}
