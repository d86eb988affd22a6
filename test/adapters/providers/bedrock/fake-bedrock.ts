// A server on loopback that speaks Bedrock's wire format from fixtures, by the model that is asked, and keeps what it was sent.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeAnswer } from '../fake-http.ts';

/** A request as it came over the wire. */
export interface ReceivedRequest {
  readonly method: string;
  /** With its encoding. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The running server. */
export interface FakeBedrock {
  /** For `AWS_ENDPOINT_URL_BEDROCK_RUNTIME`. */
  readonly endpoint: string;
  readonly received: readonly ReceivedRequest[];
  stop(): Promise<void>;
}

/** A recorded or invented answer; source and date are inside the file. */
export function readBedrockFixture(name: string): FakeAnswer {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as FakeAnswer;
}

/** Model `vendor.NAME-v1:0` is answered with the fixture NAME, at the address of every operation. */
export async function startFakeBedrock(): Promise<FakeBedrock> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void receive(request).then((one) => {
      received.push(one);
      const name = /^\/model\/vendor\.([a-z0-9-]+)-v1%3A0\/(?:converse|invoke)$/.exec(one.path)?.[1];
      if (name === undefined) return void response.writeHead(404).end('{}');
      const { status, headers = {}, body } = readBedrockFixture(name);
      response.writeHead(status, headers).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    received,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers as Record<string, string>,
    body: Buffer.concat(pieces).toString(),
  };
}
