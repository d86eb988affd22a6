// Calls a neuron for the playground through the client, as an application does.
import {
  NeuronClient,
  NeuronError,
  type NeuronMessage,
  type NeuronVariables,
} from '../../client/src/index.ts';
import { isJsonObject } from '../../core/text/json.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import type { CallEvent } from './api.ts';

/** The last event is a result or an error of the service. Throws `CommandFailure` where there is no answer. */
export async function* callNeuron(
  parameters: Readonly<Record<string, unknown>>,
  baseURL: string,
  signal: AbortSignal,
): AsyncGenerator<CallEvent> {
  const call = readCall(parameters);
  let headers = new Headers();
  const client = new NeuronClient({
    baseURL,
    // The page's own: a key of the operator's environment must not stand in for one that was not entered.
    jwtOrApiKey: call.token ?? '',
    // An operator wants to see the first answer.
    retry: false,
    fetch: async (address, init) => {
      const response = await fetch(address, init);
      headers = response.headers;
      return response;
    },
  });
  const { organization, neuron, input = '', messages, variables, bypassCache, revision } = call;
  const content = messages === undefined ? { input } : { messages };
  const version = revision === undefined ? {} : { revisionId: revision.id, key: revision.key };
  try {
    const options = { ...content, variables, bypassCache, signal, ...version };
    for await (const event of client.stream(organization, neuron, options)) {
      if (event.type === 'delta') yield { kind: 'delta', text: event.text };
      if (event.type === 'result') {
        yield { kind: 'result', status: 200, body: event.result, headers: shownHeaders(headers) };
      }
    }
  } catch (error) {
    if (!(error instanceof NeuronError)) throw toFailure(error);
    const { error: text, statusCode, code, retryAfter } = error;
    const body = { error: text, statusCode, code, retryAfter };
    yield { kind: 'error', status: statusCode, body, headers: shownHeaders(headers) };
  }
}

/** Throws `CommandFailure` for parameters that are no call. */
function readCall(parameters: Readonly<Record<string, unknown>>) {
  const text = (name: string) =>
    typeof parameters[name] === 'string' && parameters[name] !== '' ? parameters[name] : undefined;
  const [organization, neuron] = text('neuron')?.split('/') ?? [];
  if (!organization || !neuron) throw usageFailure('Choose a neuron.');
  const [id, key] = [text('revision'), text('previewKey')];
  if ((id === undefined) !== (key === undefined))
    throw usageFailure('A version and its preview key belong together.', 'Give both, or neither.');
  const messages = parameters['messages'];
  return {
    organization,
    neuron,
    input: text('input'),
    // An API key or JWT, neither stored nor logged.
    token: text('token'),
    // The service validates the messages.
    messages: Array.isArray(messages) ? (messages as readonly NeuronMessage[]) : undefined,
    // And the values of variables.
    variables: isJsonObject(parameters['variables'])
      ? (parameters['variables'] as NeuronVariables)
      : undefined,
    bypassCache: parameters['bypassCache'] === true,
    revision: id === undefined || key === undefined ? undefined : { id, key },
  };
}

/** Headers of the service that the page shows. */
function shownHeaders(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('x-') || name.startsWith('ratelimit')),
  );
}

function toFailure(error: unknown): CommandFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
  return new CommandFailure({
    what: error instanceof Error ? error.message : String(error),
    why: cause,
    remedy: 'Check with `neuron doctor` that the service answers.',
  });
}
