// `neuron call`: one call through the client, as an application makes it.
import { InvalidArgumentError } from 'commander';
import { NEURON, parseVersionId } from '../command/arguments.ts';
import { command, flag, option } from '../command/command.ts';
import { usageFailure } from '../output/failure.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Session } from '../session/session.ts';
import { type ProvidedToken, readProvidedToken } from '../session/token.ts';
import { type CallInput, readMessages } from './call-messages.ts';
import { parseVariable, type VariableValues } from './parse-variable.ts';
import { callAndPrint } from './print-answer.ts';
import { readSurface, renderSurfaceCurl } from './surface-curl.ts';

export const call = command({
  name: 'call',
  arguments: { neuron: NEURON },
  options: {
    input: option('--input <text>', 'input of the call (default: standard input)'),
    messages: option(
      '--messages [file]',
      "conversation of the call, as JSON; - reads standard input; without a file: a curl command for Anthropic's Messages",
    ),
    var: option('--var <name=value>', 'value for a variable of the neuron; may be repeated', parseVariable),
    bypassCache: flag('--bypass-cache', 'run the flow even if the answer is cached'),
    raw: flag('--raw', 'request the output as plain text, and print it unchanged'),
    stream: flag('--stream', 'print the output as it comes'),
    openai: flag('--openai', 'print the call of an OpenAI client as a curl command, and call nothing'),
    responses: flag('--responses', "the same for OpenAI's Responses"),
    revision: option(
      '--revision <id>',
      'run this version, with its preview key from NEURON_PREVIEW_KEY',
      parseVersionId,
    ),
    idempotencyKey: option(
      '--idempotency-key <key>',
      'one run and one charge for all calls with it',
      parseIdempotencyKey,
    ),
    tokenFile: option('--token-file <path>', 'file with an API key or JWT; - reads standard input'),
    token: option('--token <token>', 'API key or JWT; visible to other users of this machine'),
  },
  conflicts: [
    { option: 'raw', with: ['stream'] },
    { option: 'token', with: ['tokenFile'] },
  ],
  help: 'The token comes from --token-file, NEURON_TOKEN or NEURON_API_KEY, the first that is there. Set NEURON_BASE_URL to call without permissions on the stack.',
  async run({ neuron, var: variables, ...passed }, session) {
    const surface = readSurface(passed);
    if (surface !== undefined) {
      const input = passed.input ?? 'Hello';
      const curl = renderSurfaceCurl(surface, await findBaseUrl(session), neuron, {
        ...passed,
        input,
        variables,
      });
      return session.out.value({ curl }, curl);
    }
    const options = { ...passed, messages: readFileName(passed) };
    const revision = readRevision(options.revision, session.terminal);
    const token = await readToken(options, session);
    const input = withVariables(await readInput(options, variables, session.terminal), variables);
    const baseUrl = await findBaseUrl(session);
    const { local } = session.options;
    const args = { ...options, ...neuron, input, token, baseUrl, local, revision };
    await callAndPrint(args, globalThis.fetch, session.out);
  },
});

interface SourceOptions {
  readonly input: string | undefined;
  readonly messages: string | undefined;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
}

/** The file of `--messages`, which takes the place of `--input`. */
function readFileName({
  input,
  messages,
}: {
  readonly input: string | undefined;
  readonly messages: string | true | undefined;
}): string | undefined {
  if (typeof messages !== 'string') return undefined;
  if (input === undefined) return messages;
  throw usageFailure('--input and --messages were both given.', 'Pass one of them.');
}

async function readToken(
  { input, messages, token, tokenFile }: SourceOptions,
  { terminal, out }: Session,
): Promise<ProvidedToken | undefined> {
  if (token !== undefined) {
    out.warn('--token is visible to other users of this machine. Use NEURON_TOKEN or --token-file.');
    return { token, source: '--token' };
  }
  const takesInput = messages === undefined ? input === undefined : messages === '-';
  if (tokenFile === '-' && takesInput)
    throw usageFailure('Token and input cannot both come from standard input.', 'Pass --input TEXT.');
  return readProvidedToken(tokenFile, terminal);
}

/** Values of the line count, where a file has others. */
function withVariables(input: CallInput, variables: VariableValues | undefined): CallInput {
  return variables === undefined ? input : { ...input, variables: { ...input.variables, ...variables } };
}

async function readInput(
  { input, messages }: SourceOptions,
  variables: VariableValues | undefined,
  terminal: Terminal,
): Promise<CallInput> {
  if (messages !== undefined) return readMessages(messages, terminal);
  if (input !== undefined) return { input };
  const { stdin } = terminal;
  if (stdin.isTerminal && variables !== undefined) return { input: '' };
  if (stdin.isTerminal)
    throw usageFailure('There is no input.', 'Pass --input TEXT or --messages FILE, or pipe text in.');
  return { input: await stdin.readAll() };
}

/** NEURON_BASE_URL is for callers without permissions on the stack, such as applications. */
async function findBaseUrl({ options, terminal, findStack }: Session): Promise<string> {
  const isNamed = options.stack !== undefined || options.local !== undefined;
  const fromEnvironment = terminal.environment['NEURON_BASE_URL'];
  return !isNamed && fromEnvironment ? fromEnvironment : (await findStack()).url;
}

function readRevision(
  id: string | undefined,
  { environment }: Terminal,
): { readonly id: string; readonly key: string } | undefined {
  if (id === undefined) return undefined;
  const key = environment['NEURON_PREVIEW_KEY']?.trim();
  if (key) return { id, key };
  throw usageFailure(
    '--revision needs the preview key of the version, and NEURON_PREVIEW_KEY is not set.',
    'Run `neuron versions key ORGANIZATION/NEURON ID --new` to create one.',
  );
}

/** Visible ASCII (docs/client.md). */
function parseIdempotencyKey(text: string): string {
  if (!/^[!-~]{1,255}$/.test(text))
    throw new InvalidArgumentError('It must have 1 to 255 visible ASCII characters, such as order-7.');
  return text;
}
