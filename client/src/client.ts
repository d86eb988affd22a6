// The client: calls neurons over HTTP, from Node, browsers and other platforms with `fetch`.
import {
  addFeedback,
  checkStream,
  EVENT_STREAM,
  markReplay,
  readError,
  readRaw,
  readSuccess,
} from './answer.ts';
import { NoAnswerError } from './error.ts';
import { checkCallOptions, checkClientOptions } from './known-options.ts';
import { checkTimeout, type Lifetime, startLifetime } from './lifetime.ts';
import {
  buildBody,
  buildHeaders,
  buildUrl,
  idempotencyKeyOf,
  parseBaseUrl,
  readEnvironment,
  secretsOf,
} from './request.ts';
import { delayBeforeRetry, isInProgress, parseRetry, type RetryPolicy } from './retry.ts';
import { NeuronStream, type StreamAnswer } from './stream.ts';
import type {
  CallNeuronOptions,
  NeuronClientOptions,
  NeuronFeedback,
  NeuronResponse,
  TokenSource,
} from './types.ts';

const DEFAULT_TIMEOUT_MS = 300_000;

/** The parts that all attempts of a call share. */
interface Call {
  readonly url: string;
  readonly options: CallNeuronOptions;
  /** The idempotency key. */
  readonly key: string | undefined;
  readonly body: string;
  /** Sends feedback on the answer. */
  send(feedback: NeuronFeedback): Promise<void>;
  retries: number;
}

/**
 * A client of one service. A class because it holds the token that `setJwtOrApiKey` changes.
 *
 * @example
 * const client = new NeuronClient({ baseURL: 'https://neurons.example.com' });
 * const { output } = await client.callNeuron('acme', 'support', { input: 'Hello' });
 */
export class NeuronClient {
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #timeout: number;
  readonly #retry: RetryPolicy;
  #token: TokenSource | undefined;

  /** Throws `TypeError` for an option that does not exist, a `baseURL` that is not an http or https URL, or a number out of its bounds. */
  constructor(options: NeuronClientOptions = {}) {
    checkClientOptions(options);
    this.#baseUrl = parseBaseUrl(options.baseURL);
    // In browsers, `fetch` throws when it is called as a method of another object than the window.
    this.#fetch = (...request) => (options.fetch ?? globalThis.fetch)(...request);
    this.#timeout = checkTimeout(options.timeout ?? DEFAULT_TIMEOUT_MS);
    this.#retry = parseRetry(options.retry);
    this.#token = options.jwtOrApiKey ?? readEnvironment('NEURON_API_KEY');
  }

  /** Sets the token of later calls; undefined or an empty string removes it. */
  setJwtOrApiKey(jwtOrApiKey: TokenSource | undefined): void {
    this.#token = jwtOrApiKey;
  }

  /**
   * Runs the deployed version of a neuron, or the one in `revisionId`. With `rawOutput: true`, resolves to the output alone, as a string.
   *
   * Throws `NeuronError` for every answer but a success, `TypeError` for arguments that cannot be sent, and `NoAnswerError`, which has no
   * `statusCode`, when there was no answer.
   */
  callNeuron(
    organization: string,
    neuron: string,
    options: CallNeuronOptions & { readonly rawOutput: true },
  ): Promise<string>;
  callNeuron(
    organization: string,
    neuron: string,
    options?: CallNeuronOptions & { readonly rawOutput?: false | undefined },
  ): Promise<NeuronResponse>;
  callNeuron(
    organization: string,
    neuron: string,
    options?: CallNeuronOptions,
  ): Promise<NeuronResponse | string>;
  async callNeuron(
    organization: string,
    neuron: string,
    options: CallNeuronOptions = {},
  ): Promise<NeuronResponse | string> {
    const call = this.#prepare(organization, neuron, options);
    const lifetime = startLifetime(options.timeout ?? this.#timeout, options.signal);
    try {
      const attempt = () => this.#tryOnce(call, lifetime.signal);
      return await this.#tryUntilAnswered(attempt, lifetime, call);
    } finally {
      lifetime.close();
    }
  }

  /**
   * The same as server-sent events: the text as the model writes it, where the neuron's flow allows it. The call is made when reading
   * begins, and retried like every call until the stream opens; with an idempotency key after that too, without repeating text that was
   * read before. Throws `TypeError` at once for arguments that cannot be sent.
   */
  stream(
    organization: string,
    neuron: string,
    options: CallNeuronOptions & { readonly rawOutput?: false | undefined } = {},
  ): NeuronStream {
    const call = this.#prepare(organization, neuron, options);
    checkTimeout(options.timeout ?? this.#timeout);
    return new NeuronStream(() => {
      const lifetime = startLifetime(options.timeout ?? this.#timeout, options.signal);
      const open = async () => {
        const answer = await this.#request(call, lifetime.signal, EVENT_STREAM);
        checkStream(answer.response);
        return answer;
      };
      const ask = async (cut?: unknown) => {
        if (cut !== undefined) await this.#waitAfter(cut, lifetime, call);
        return this.#tryUntilAnswered(open, lifetime, call);
      };
      return { ...lifetime, ask };
    });
  }

  #prepare(organization: string, neuron: string, options: CallNeuronOptions): Call {
    const url = buildUrl(this.#baseUrl, organization, neuron, options);
    checkCallOptions(options);
    const key = idempotencyKeyOf(options);
    const { jwtOrApiKey } = options;
    const send = (feedback: NeuronFeedback) =>
      this.sendFeedback(organization, neuron, { ...feedback, jwtOrApiKey });
    return { url, options, key, body: buildBody(options), send, retries: 0 };
  }

  /** Sends feedback by the token of an answer, as a page does whose back end called the neuron. Throws as `callNeuron` does. */
  async sendFeedback(organization: string, neuron: string, feedback: NeuronFeedback): Promise<void> {
    const { jwtOrApiKey, token, metric, value, comment } = feedback;
    const body = JSON.stringify({ token, metric, value, comment });
    const url = `${buildUrl(this.#baseUrl, organization, neuron, {})}/feedback`;
    const call: Call = {
      ...this.#prepare(organization, neuron, { jwtOrApiKey }),
      url,
      body,
    };
    const lifetime = startLifetime(this.#timeout, undefined);
    try {
      const attempt = async () => void (await this.#request(call, lifetime.signal));
      await this.#tryUntilAnswered(attempt, lifetime, call);
    } finally {
      lifetime.close();
    }
  }

  async #tryUntilAnswered<Answer>(
    attempt: () => Promise<Answer>,
    lifetime: Lifetime,
    call: Call,
  ): Promise<Answer> {
    for (;;) {
      try {
        return await lifetime.bound(attempt());
      } catch (error) {
        await this.#waitAfter(error, lifetime, call);
      }
    }
  }

  /** Throws the error unless the call is retried. */
  async #waitAfter(error: unknown, lifetime: Lifetime, call: Call): Promise<void> {
    const delay = delayBeforeRetry(error, call.retries, this.#retry, call.key !== undefined);
    // The service's error helps the caller more than a later timeout.
    if (delay === undefined || delay >= lifetime.left()) throw error;
    if (!isInProgress(error)) call.retries += 1;
    await lifetime.sleep(delay);
  }

  async #tryOnce(call: Call, signal: AbortSignal): Promise<NeuronResponse | string> {
    const { response, complete } = await this.#request(call, signal);
    const text = await response.text().catch((cause: unknown) => {
      throw new NoAnswerError('network', `The response from ${call.url} ended early.`, cause);
    });
    return call.options.rawOutput === true ? readRaw(response, text) : complete(readSuccess(response, text));
  }

  /** A success, with the secrets that no error may repeat. */
  async #request(call: Call, signal: AbortSignal, accept?: string): Promise<StreamAnswer> {
    const { url, options, key, body } = call;
    const source = options.jwtOrApiKey ?? this.#token;
    const token = typeof source === 'function' ? await source() : source;
    // The token may have taken too long.
    if (signal.aborted) throw signal.reason;
    const headers = buildHeaders(options, token, key);
    if (accept !== undefined) headers.set('Accept', accept);
    const response = await this.#send(url, {
      method: 'POST',
      headers,
      body,
      // A redirect would send the input, and within an origin the token, to an address that the caller did not choose.
      redirect: 'manual',
      signal,
    });
    const secrets = secretsOf(headers);
    if (!response.ok) throw await readError(response, secrets);
    const complete = <Answer extends NeuronResponse>(answer: Answer) =>
      addFeedback(response, markReplay(response, answer), call.send);
    return { response, secrets, complete };
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const response = await this.#fetch(url, init).catch((cause: unknown) => {
      throw new NoAnswerError('network', `No response from ${url}. ${hintFor(init.body)}`, cause);
    });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new NoAnswerError(
        'redirect',
        `${url} answered with a redirect, which is not followed. Set baseURL to the address of the service.`,
      );
    }
    return response;
  }
}

/**
 * API Gateway answers bodies above 10 MB, and events above 6 MB, with a 413 that may lack the headers of CORS, and that a browser then
 * reports as a failed connection (Amazon API Gateway Developer Guide, "Quotas"; AWS Lambda Developer Guide, "Quotas").
 */
const MAX_BODY_BYTES = 6_000_000;

function hintFor(body: unknown): string {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body).length : 0;
  return bytes > MAX_BODY_BYTES
    ? `The request has ${(bytes / 1_000_000).toFixed(1)} MB; the service accepts at most 6 MB, and a browser cannot read its answer to more.`
    : 'Check baseURL and that the service is running.';
}
