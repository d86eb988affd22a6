// Calls neurons at an address in place of this process, through the same recordings.
import * as z from 'zod/mini';
import { NeuronClient, NeuronError, type NeuronResponse } from '../../client/src/index.ts';
import { RESPONSE_HEADERS } from '../../core/contract/headers.ts';
import type { NeuronRun, RunEnd } from '../../core/tests/run/run-neuron.ts';
import type { CallNeuron } from '../../core/tests/suite/case-neurons.ts';

/** Where neurons are called. */
export interface Address {
  readonly baseUrl: string;
  readonly token: string;
  /** The version of the tested neuron, with its preview key; undefined for the deployed one. */
  readonly revision: { readonly id: string; readonly key: string } | undefined;
}

/** Codes that the same request would get again. */
const LASTING: readonly string[] = [
  'guard_blocked',
  'guard_unseen_content',
  'invalid_input',
  'input_too_large',
];

const recordSchema = z.strictObject({
  output: z.optional(z.string()),
  code: z.optional(z.string()),
  reason: z.optional(z.string()),
  costMicrodollars: z.nullable(z.int()),
  tokensInput: z.int(),
  tokensOutput: z.int(),
});

type AnswerRecord = z.output<typeof recordSchema>;

/** `name`: `ORGANIZATION/NEURON`. */
export function callAtAddress(name: string, address: Address, send: typeof fetch): CallNeuron {
  const [organization = '', neuron = ''] = name.split('/');
  const { id } = address.revision ?? {};
  return async ({ body }, { recorder, clock }) => {
    const target = id === undefined ? name : `${name}@${id}`;
    try {
      const record = await recorder.call<AnswerRecord>({
        target,
        request: body,
        // Its cost is known by its receipt, after it was made.
        costs: { most: 'receipt', costOf: ({ costMicrodollars }) => costMicrodollars },
        live: () => call(organization, neuron, body, address, send),
        toRecord: (answer) =>
          answer.code === undefined || LASTING.includes(answer.code) ? answer : undefined,
        fromRecord(recorded) {
          const parsed = recordSchema.safeParse(recorded);
          return parsed.success ? parsed.data : undefined;
        },
      });
      return toRun(record, clock.monotonicMs());
    } catch (thrown) {
      return toRun(failed('unreachable', thrown instanceof Error ? thrown.message : undefined), undefined);
    }
  };
}

function toRun(record: AnswerRecord, latencyMs: number | undefined): NeuronRun {
  const { output = '', code, reason, ...figures } = record;
  const end: RunEnd = code === undefined ? { kind: 'done', output } : { kind: 'failed', code, reason };
  return { ...end, ...figures, latencyMs };
}

function failed(code: string, reason: string | undefined): AnswerRecord {
  return {
    code,
    ...(reason === undefined ? {} : { reason }),
    costMicrodollars: 0,
    tokensInput: 0,
    tokensOutput: 0,
  };
}

async function call(
  organization: string,
  neuron: string,
  body: object,
  { baseUrl, token, revision }: Address,
  send: typeof fetch,
): Promise<AnswerRecord> {
  let headers = new Headers();
  const client = new NeuronClient({
    baseURL: baseUrl,
    jwtOrApiKey: token,
    fetch: async (...request) => {
      const response = await send(...request);
      headers = response.headers;
      return response;
    },
  });
  try {
    const answer = (await client.callNeuron(organization, neuron, {
      ...body,
      bypassCache: true,
      ...(revision === undefined ? {} : { revisionId: revision.id, key: revision.key }),
    } as Parameters<typeof client.callNeuron>[2])) as NeuronResponse;
    return { output: toText(answer), ...readReceipt(headers) };
  } catch (thrown) {
    if (thrown instanceof NeuronError) {
      const end = failed(thrown.code ?? String(thrown.statusCode), thrown.error);
      const { costMicrodollars, ...tokens } = readReceipt(headers);
      return { ...end, ...tokens, costMicrodollars: costMicrodollars ?? 0 };
    }
    throw thrown;
  }
}

/** As a run in this process has it. */
function toText({ output = '', toolCalls = [] }: NeuronResponse): string {
  if (output !== '' || toolCalls.length === 0) return output;
  return JSON.stringify({
    toolCalls: toolCalls.map(({ name, arguments: args }) => ({ name, arguments: args })),
  });
}

function readReceipt(
  headers: Headers,
): Pick<AnswerRecord, 'costMicrodollars' | 'tokensInput' | 'tokensOutput'> {
  const cost = headers.get(RESPONSE_HEADERS.cost);
  return {
    costMicrodollars: cost === null ? null : Number(cost),
    tokensInput: Number(headers.get(RESPONSE_HEADERS.tokensInput) ?? 0),
    tokensOutput: Number(headers.get(RESPONSE_HEADERS.tokensOutput) ?? 0),
  };
}
