// The vendors that sign their thoughts, and take no others, over HTTP.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSigningModels } from '../../lambdas/execute/thinking/signing-model.ts';

/** A listening server. `received` is what it was asked, with the status of its answer. */
export interface SigningServer {
  readonly url: string;
  readonly received: ReturnType<typeof createSigningModels>['received'];
  stop(): Promise<void>;
}

/** Below `/bedrock-runtime` it is Bedrock, below `/v1/responses` OpenAI, elsewhere Anthropic. */
export async function startSigningServer(): Promise<SigningServer> {
  const { openHttp, received } = createSigningModels();
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    const { signal } = new AbortController();
    const url = `http://localhost${incoming.url ?? ''}`;
    const answer = await openHttp({ method: 'POST', url, headers: {}, body, signal });
    outgoing.writeHead(answer.status, answer.headers);
    for await (const piece of answer.body) outgoing.write(piece);
    outgoing.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
