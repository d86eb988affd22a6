// Calls a neuron and prints the answer, whole or as it comes, or the error of the service.
import {
  type CallNeuronOptions,
  NeuronClient,
  NeuronError,
  type NeuronResponse,
  type NeuronStream,
} from '../../client/src/index.ts';
import { logsWords } from '../logs/logs-words.ts';
import { renderCommand } from '../output/command-line.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import { type NeuronTarget, renderTarget } from '../session/target.ts';
import type { ProvidedToken } from '../session/token.ts';
import type { CallInput } from './call-messages.ts';

interface Call extends NeuronTarget {
  readonly input: CallInput;
  readonly bypassCache: boolean;
  readonly raw: boolean;
  readonly stream: boolean;
  readonly idempotencyKey: string | undefined;
  readonly token: ProvidedToken | undefined;
  readonly baseUrl: string;
  /** Data folder of the local run that is called. */
  readonly local: string | undefined;
  /** A version to call instead of the deployed one, and its preview key. */
  readonly revision: { readonly id: string; readonly key: string } | undefined;
}

type StreamOptions = CallNeuronOptions & { readonly rawOutput?: false };

/** Throws `CommandFailure` for an error of the service. */
export async function callAndPrint(call: Call, send: typeof fetch, out: Output): Promise<void> {
  const { organization, neuron, revision, bypassCache, idempotencyKey } = call;
  let headers = new Headers();
  const client = new NeuronClient({
    baseURL: call.baseUrl,
    // Not from the environment: the command has read that.
    jwtOrApiKey: call.token?.token ?? '',
    // An operator wants to see the first answer.
    retry: false,
    timeout: Infinity,
    fetch: async (...request) => {
      const response = await send(...request);
      headers = response.headers;
      return response;
    },
  });
  const version = revision === undefined ? {} : { revisionId: revision.id, key: revision.key };
  const options = {
    ...call.input,
    bypassCache,
    rawOutput: call.raw,
    idempotencyKey,
    ...version,
  } as CallNeuronOptions;
  const printing = call.stream
    ? printStream(client.stream(organization, neuron, options as StreamOptions), out)
    : client.callNeuron(organization, neuron, options).then((answer) => printWhole(answer, out));
  const isStopped = await printing.catch((error: unknown) => {
    throw toCallFailure(error, call);
  });
  out.message(describeAnswer(headers, isStopped));
}

function describeAnswer(headers: Headers, isStopped: boolean): string {
  const facts = [
    ...(isStopped || headers.get('X-Execution-Stopped') === 'true' ? ['stopped'] : []),
    ...(headers.get('Idempotency-Replayed') === 'true' ? ['replayed'] : []),
    `cache ${headers.get('X-Cache') ?? 'unknown'}`,
    `execution ${headers.get('X-Execution-Id') ?? 'unknown'}`,
  ];
  return facts.join(' · ');
}

/** Prints text as it comes, then the rest of the result; with --json every event as a line. True for a run that was stopped. */
async function printStream(stream: NeuronStream, out: Output): Promise<boolean> {
  let isStopped = false;
  let hasText = false;
  try {
    for await (const event of stream) {
      if (event.type === 'result') isStopped = event.result.executionStopped;
      if (out.json) out.value(event, '');
      else if (event.type === 'delta') {
        hasText = true;
        out.raw(event.text);
      } else if (event.type === 'result') {
        const { output: _printed, ...rest } = event.result;
        out.raw(`${hasText ? '\n' : ''}${renderLines(rest)}`);
      }
    }
  } catch (error) {
    // The error gets a line of its own.
    if (hasText && !out.json) out.raw('\n');
    throw error;
  }
  return isStopped;
}

/** True for a run that was stopped. */
function printWhole(answer: NeuronResponse | string, out: Output): boolean {
  if (out.json) out.value(answer, '');
  else out.raw(typeof answer === 'string' ? answer : renderLines(answer));
  return typeof answer !== 'string' && answer.executionStopped;
}

/** The output, and a line for each call of a tool: its name, its arguments as JSON, its id. */
function renderLines({ output, toolCalls = [] }: NeuronResponse): string {
  const calls = toolCalls.map(({ id, name, arguments: args }) => `${name} ${JSON.stringify(args)} ${id}`);
  const text = output === undefined || (output === '' && calls.length > 0) ? [] : [output];
  return [...text, ...calls].map((line) => `${line}\n`).join('');
}

function toCallFailure(error: unknown, call: Call): unknown {
  if (error instanceof NeuronError) return toServiceFailure(error, call);
  if (error instanceof TypeError || !(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : undefined;
  return new CommandFailure({
    what: error.message,
    why: cause instanceof Error ? cause.message : undefined,
  });
}

function whereFrom(token: ProvidedToken | undefined): string {
  if (token !== undefined) return `The token came from ${token.source}.`;
  return 'There was no token. Set NEURON_TOKEN or NEURON_API_KEY, or pass --token-file FILE.';
}

function toServiceFailure(error: NeuronError, call: Call): CommandFailure {
  const { statusCode, code, retryAfter, executionId } = error;
  const command = `${logsWords(call.organization)} --id '${executionId}'`;
  const { token } = call;
  const remedies = [
    ...(statusCode !== 401 ? [] : [whereFrom(token)]),
    ...(retryAfter === undefined ? [] : [`Try again in ${retryAfter} s.`]),
    ...(executionId === undefined || code === 'not_found'
      ? []
      : [`See \`${renderCommand(command, call.local)}\`.`]),
  ];
  return new CommandFailure({
    what: `${renderTarget(call)} answered ${statusCode}${code === undefined ? '' : ` ${code}`}.`,
    why: error.error,
    remedy: remedies.join('\n') || undefined,
  });
}
