// An OpenAI-compatible server on loopback that makes vectors, tells what it was asked, and can be made to answer wrongly.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface EmbeddingBody {
  readonly model: string;
  readonly input: string | readonly (string | readonly number[])[];
  readonly dimensions?: number;
}

/** The running server. `answer` takes the place of its next answers; undefined: it makes vectors. */
export interface EmbeddingModels {
  readonly baseUrl: string;
  readonly asked: EmbeddingBody[];
  answer: ((body: EmbeddingBody) => { readonly status: number; readonly body: unknown }) | undefined;
  stop(): Promise<void>;
}

/** The vector of an input: its length, its first character or token, and zeros; 3 numbers unless others are wanted. */
export function vectorOf(input: string | readonly number[], dimensions = 3): number[] {
  const first = typeof input === 'string' ? input.codePointAt(0) : input[0];
  return [input.length, first ?? 0, ...new Array<number>(Math.max(0, dimensions - 2)).fill(0)];
}

/** Each input costs as many tokens as it has characters or tokens. Vectors come in reverse, each with its index. */
export async function startEmbeddingModels(): Promise<EmbeddingModels> {
  const models: { asked: EmbeddingBody[]; answer: EmbeddingModels['answer'] } = {
    asked: [],
    answer: undefined,
  };
  const server = createServer((request, response) => {
    void json(request).then((value) => {
      const body = value as EmbeddingBody;
      models.asked.push(body);
      const { status, body: answer } = models.answer?.(body) ?? { status: 200, body: answerOf(body) };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(models, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function answerOf({ model, input, dimensions }: EmbeddingBody): object {
  const inputs = typeof input === 'string' ? [input] : input;
  const data = inputs.map((one, index) => ({
    object: 'embedding',
    index,
    embedding: vectorOf(one, dimensions),
  }));
  const tokens = inputs.reduce((sum, one) => sum + one.length, 0);
  return {
    object: 'list',
    data: data.toReversed(),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}
