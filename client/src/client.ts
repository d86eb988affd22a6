// The client: calls neurons over HTTP, from Node, browsers and other platforms with `fetch`.
import { readError, readSuccess } from './answer.ts';
import { buildHeaders, buildUrl, parseBaseUrl } from './request.ts';
import type { CallNeuronOptions, NeuronClientOptions, NeuronResponse } from './types.ts';

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
  #token: string | undefined;

  /** Throws `TypeError` when `baseURL` is not an http or https URL. */
  constructor(options: NeuronClientOptions = {}) {
    this.#baseUrl = parseBaseUrl(options.baseURL);
    // Browsers refuse a `fetch` that is called as a method of another object than the window.
    this.#fetch = (...request) => (options.fetch ?? globalThis.fetch)(...request);
    this.#token = options.jwtOrApiKey;
  }

  /** Sets the token of later calls; undefined or an empty string removes it. */
  setJwtOrApiKey(jwtOrApiKey: string | undefined): void {
    this.#token = jwtOrApiKey;
  }

  /**
   * Runs the deployed version of a neuron. With `rawOutput: true` the output alone, as a string.
   *
   * Throws `NeuronError` for every answer but a success, `TypeError` for arguments that cannot be sent, and `Error` without `statusCode`
   * when there was no answer.
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
    const token = options.jwtOrApiKey ?? this.#token;
    const response = await this.#send(buildUrl(this.#baseUrl, organization, neuron, options), {
      method: 'POST',
      headers: buildHeaders(options.headers, token),
      body: JSON.stringify({ input: options.input ?? '' }),
      // A redirect would carry the input, and within one origin the token, to where the caller never pointed.
      redirect: 'manual',
    });
    if (!response.ok) throw await readError(response, token);
    return options.rawOutput === true ? response.text() : readSuccess(response);
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const response = await this.#fetch(url, init).catch((cause: unknown) => {
      throw new Error(`No answer from ${url}. Check baseURL and that the service runs.`, { cause });
    });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      throw new Error(
        `${url} answered with a redirect, which is not followed. Set baseURL to where the service is.`,
      );
    }
    return response;
  }
}
