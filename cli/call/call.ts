// `neuron call`: one call through the client, as an application makes it.
import type { Command } from 'commander';
import {
  type CallNeuronOptions,
  NeuronClient,
  NeuronError,
  type NeuronResponse,
  type NeuronStream,
} from '../../client/src/index.ts';
import { logsWords } from '../logs/logs-words.ts';
import { renderCommand } from '../output/command-line.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Bind, Session } from '../session/session.ts';
import { checkIdempotencyKey, checkNeuron, checkVersion, toNeuronTarget } from '../session/target.ts';
import { readProvidedToken } from '../session/token.ts';
import { readMessages, type SentInput } from './call-messages.ts';
import { type OpenaiCall, renderOpenaiCurl } from './openai-curl.ts';

interface CallOptions {
  readonly input?: string;
  readonly messages?: string;
  readonly bypassCache?: true;
  readonly raw?: true;
  readonly stream?: true;
  readonly openai?: true;
  readonly idempotencyKey?: string;
  readonly revision?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

type StreamOptions = CallNeuronOptions & { readonly rawOutput?: false };

/** Arguments of one call. */
interface CallArguments {
  readonly organization: string;
  readonly neuron: string;
  readonly sent: SentInput;
  readonly bypassCache: boolean;
  readonly raw: boolean;
  readonly stream: boolean;
  readonly idempotencyKey: string | undefined;
  readonly token: string | undefined;
  readonly baseUrl: string;
  /** Data folder of the local run that is called. */
  readonly local?: string | undefined;
  /** A version to call instead of the deployed one, and its preview key. */
  readonly revision?: { readonly id: string; readonly key: string };
}

export function registerCall(program: Command, bind: Bind): void {
  program
    .command('call')
    .description('Calls a neuron and prints its output.')
    .argument('<organization/neuron>', 'the neuron', checkNeuron)
    .option('--input <text>', 'input of the call (default: standard input)')
    .option('--messages <file>', 'conversation of the call, as JSON; - reads standard input')
    .option('--bypass-cache', 'run the flow even if the answer is cached')
    .option('--raw', 'request the output as plain text, and print it unchanged')
    .option('--stream', 'print the output as it comes')
    .option('--openai', 'print the call of an OpenAI client as a curl command, and call nothing')
    .option('--revision <id>', 'run this version, with its preview key from NEURON_PREVIEW_KEY', checkVersion)
    .option('--idempotency-key <key>', 'one run and one charge for all calls with it', checkIdempotencyKey)
    .option('--token-file <path>', 'file with an API key or JWT; - reads standard input')
    .option('--token <token>', 'API key or JWT; visible to other users of this machine')
    .addHelpText(
      'after',
      '\nThe token comes from NEURON_TOKEN or --token-file. Set NEURON_BASE_URL to call without permissions on the stack.',
    )
    .action(
      bind<CallOptions>(async (session, { args, options }) => {
        const { organization, neuron } = toNeuronTarget(args[0]);
        if (options.openai === true) {
          const asked = readOpenaiOptions(options);
          const curl = renderOpenaiCurl(await findBaseUrl(session), { organization, neuron }, asked);
          session.out.value({ curl }, curl);
          return;
        }
        const revision = readRevision(options, session.terminal);
        const token = await readToken(options, session);
        const sent = await readSent(options, session.terminal);
        const baseUrl = await findBaseUrl(session);
        const flags = {
          bypassCache: options.bypassCache ?? false,
          raw: options.raw ?? false,
          stream: options.stream ?? false,
          idempotencyKey: options.idempotencyKey,
        };
        if (flags.raw && flags.stream) {
          throw usageFailure('--raw and --stream were both given.', 'Pass one of them.');
        }
        await call({
          args: {
            organization,
            neuron,
            sent,
            token,
            baseUrl,
            local: session.options.local,
            ...flags,
            ...(revision && { revision }),
          },
          ports: { fetch: globalThis.fetch },
          out: session.out,
        });
      }),
    );
}

/** Options of `neuron call` that the line of `--openai` cannot hold, as they are written. */
const NOT_OF_OPENAI: Readonly<Partial<Record<keyof CallOptions, string>>> = {
  messages: '--messages',
  bypassCache: '--bypass-cache',
  raw: '--raw',
  revision: '--revision',
  token: '--token',
  tokenFile: '--token-file',
};

/** Throws a usage failure for an option that would be lost. */
function readOpenaiOptions(options: CallOptions): OpenaiCall {
  const lost = Object.entries(NOT_OF_OPENAI).find(([name]) => name in options);
  if (lost !== undefined) {
    throw usageFailure(
      `--openai and ${lost[1]} were both given.`,
      'Pass --openai with --input, --stream or --idempotency-key; its line takes the token from NEURON_API_KEY.',
    );
  }
  const { input = 'Hello', stream = false, idempotencyKey } = options;
  return { input, stream, idempotencyKey };
}

/** Calls and prints. Throws `CommandFailure` for an error of the service. */
async function call({
  args,
  ports,
  out,
}: {
  readonly args: CallArguments;
  readonly ports: { readonly fetch: typeof fetch };
  readonly out: Output;
}): Promise<void> {
  let headers = new Headers();
  const client = new NeuronClient({
    baseURL: args.baseUrl,
    jwtOrApiKey: args.token,
    // An operator wants to see the first answer.
    retry: false,
    timeout: Infinity,
    fetch: async (...request) => {
      const response = await ports.fetch(...request);
      headers = response.headers;
      return response;
    },
  });
  const { sent, bypassCache, revision, idempotencyKey } = args;
  const version = revision === undefined ? {} : { revisionId: revision.id, key: revision.key };
  const options = {
    ...sent,
    bypassCache,
    rawOutput: args.raw,
    idempotencyKey,
    ...version,
  } as CallNeuronOptions;
  const answering = args.stream
    ? printStream(client.stream(args.organization, args.neuron, options as StreamOptions), out)
    : client.callNeuron(args.organization, args.neuron, options).then((answer) => print(answer, out));
  const isStopped = await answering.catch((error: unknown) => {
    throw toCallFailure(error, args);
  });
  const stopped = isStopped || headers.get('X-Execution-Stopped') === 'true' ? 'stopped · ' : '';
  const replayed = headers.get('Idempotency-Replayed') === 'true' ? 'replayed · ' : '';
  const cache = headers.get('X-Cache') ?? 'unknown';
  out.message(
    `${stopped}${replayed}cache ${cache} · execution ${headers.get('X-Execution-Id') ?? 'unknown'}`,
  );
}

/** Text as it comes, and what follows it; with --json every event as a line. True for a run that was stopped. */
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
    // What is said of the error begins a line of its own.
    if (hasText && !out.json) out.raw('\n');
    throw error;
  }
  return isStopped;
}

function print(answer: NeuronResponse | string, out: Output): boolean {
  if (typeof answer !== 'string') {
    if (out.json) out.value(answer, '');
    else out.raw(renderLines(answer));
  } else if (out.json) out.value(answer, '');
  else out.raw(answer);
  return typeof answer !== 'string' && answer.executionStopped;
}

/** The output, and a line for each call of a tool: its name, its arguments as JSON, its id. */
function renderLines({ output, toolCalls = [] }: NeuronResponse): string {
  const calls = toolCalls.map(
    ({ id, name, arguments: provided }) => `${name} ${JSON.stringify(provided)} ${id}`,
  );
  const text = output === undefined || (output === '' && calls.length > 0) ? [] : [output];
  return [...text, ...calls].map((line) => `${line}\n`).join('');
}

function toCallFailure(error: unknown, args: CallArguments): unknown {
  const name = `${args.organization}/${args.neuron}`;
  if (error instanceof NeuronError) {
    const wait = error.retryAfter === undefined ? undefined : `Try again in ${error.retryAfter} s.`;
    const log =
      error.executionId === undefined || error.code === 'not_found'
        ? undefined
        : `See \`${renderCommand(`${logsWords(args.organization)} --id '${error.executionId}'`, args.local)}\`.`;
    return new CommandFailure({
      what: `${name} answered ${error.statusCode}${error.code === undefined ? '' : ` ${error.code}`}.`,
      why: error.error,
      remedy: [wait, log].filter((line) => line !== undefined).join('\n') || undefined,
    });
  }
  if (error instanceof TypeError || !(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : undefined;
  return new CommandFailure({
    what: error.message,
    why: cause instanceof Error ? cause.message : undefined,
  });
}

async function readToken(options: CallOptions, session: Session): Promise<string | undefined> {
  const { terminal, out } = session;
  if (options.token !== undefined && options.tokenFile !== undefined) {
    throw usageFailure('--token and --token-file were both given.', 'Pass one of them.');
  }
  if (options.token !== undefined) {
    out.warn('--token is visible to other users of this machine. Use NEURON_TOKEN or --token-file.');
    return options.token;
  }
  const takesInput = options.messages === undefined ? options.input === undefined : options.messages === '-';
  if (options.tokenFile === '-' && takesInput) {
    throw usageFailure('Token and input cannot both come from standard input.', 'Pass --input TEXT.');
  }
  return (await readProvidedToken(options.tokenFile, terminal))?.token;
}

async function readSent({ input, messages }: CallOptions, terminal: Terminal): Promise<SentInput> {
  if (input !== undefined && messages !== undefined) {
    throw usageFailure('--input and --messages were both given.', 'Pass one of them.');
  }
  if (messages !== undefined) return readMessages(messages, terminal);
  if (input !== undefined) return { input };
  const { stdin } = terminal;
  if (stdin.isTerminal) {
    throw usageFailure('There is no input.', 'Pass --input TEXT or --messages FILE, or pipe text in.');
  }
  return { input: await stdin.readAll() };
}

/** NEURON_BASE_URL is for callers without permissions on the stack, such as applications. */
async function findBaseUrl({ options, terminal, findStack }: Session): Promise<string> {
  const named = options.stack !== undefined || options.local !== undefined;
  const fromEnvironment = terminal.environment['NEURON_BASE_URL'];
  return !named && fromEnvironment ? fromEnvironment : (await findStack()).url;
}

function readRevision(
  { revision }: CallOptions,
  { environment }: Terminal,
): { readonly id: string; readonly key: string } | undefined {
  if (revision === undefined) return undefined;
  const key = environment['NEURON_PREVIEW_KEY']?.trim();
  if (key) return { id: revision, key };
  throw usageFailure(
    '--revision needs the preview key of the version, and NEURON_PREVIEW_KEY is not set.',
    'Run `neuron versions key ORGANIZATION/NEURON ID --new` to create one.',
  );
}
