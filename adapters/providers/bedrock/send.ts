// Sends one signed call to a model and gives its answer, whatever the status.

import { SignatureV4 } from '@smithy/signature-v4';
import type { Clock } from '../../../core/time/clock.ts';
import type { Http } from '../../http/message.ts';
import { defaultProvider } from '../../platform/lambda-credentials.ts';
import { Sha256 } from '../../platform/sha256.ts';
import { type JsonAnswer, postText } from '../post-json.ts';
import { type ModelOperation, toModelUrl } from './request.ts';

/** Credentials are those of the function's role. */
export interface BedrockPorts {
  readonly http: Http;
  readonly clock: Pick<Clock, 'now'>;
}

interface ModelInvocation {
  readonly region: string;
  readonly model: string;
  readonly operation: ModelOperation;
  readonly body: unknown;
  /** Not signed: a proxy may change the headers of a trace. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Headers, path and body are signed by the SDK's signer (Signature Version 4); the SDK's client would add 88 KiB to the bundle. Throws
 * where the function has no credentials.
 */
export async function signInvocation(
  { region, model, operation, body, headers: input }: Omit<ModelInvocation, 'signal'>,
  clock: Pick<Clock, 'now'>,
): Promise<SignedRequest> {
  const url = toModelUrl(region, model, operation, process.env);
  const accept = operation === 'converse-stream' ? 'application/vnd.amazon.eventstream' : 'application/json';
  return signRequest({ region, url, accept, text: JSON.stringify(body), headers: input }, clock);
}

interface SignedRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** As `signInvocation` does. `headers` are not signed. */
export async function signRequest(
  {
    region,
    url,
    accept,
    text,
    headers,
  }: {
    readonly region: string;
    readonly url: string;
    readonly accept: string;
    readonly text: string;
    readonly headers?: Readonly<Record<string, string>> | undefined;
  },
  clock: Pick<Clock, 'now'>,
): Promise<SignedRequest> {
  const { protocol, hostname, port, host, pathname } = new URL(url);
  const signer = new SignatureV4({
    service: 'bedrock',
    region,
    credentials: defaultProvider(),
    sha256: Sha256,
  });
  const signed = await signer.sign(
    {
      method: 'POST',
      protocol,
      hostname,
      ...(port === '' ? {} : { port: Number(port) }),
      path: pathname,
      query: {},
      headers: {
        'content-type': 'application/json',
        accept,
        host,
        'content-length': String(Buffer.byteLength(text)),
      },
      body: text,
    },
    { signingDate: new Date(clock.now()) },
  );
  const { host: _setByTheConnection, ...sent } = signed.headers;
  return { url, headers: { ...sent, ...headers }, text };
}

/** Throws `ProviderFailure` when no answer came back. */
export async function sendToModel(
  { signal, ...invocation }: ModelInvocation,
  { http, clock }: BedrockPorts,
): Promise<JsonAnswer> {
  return postText(http, { ...(await signInvocation(invocation, clock)), signal });
}
