// Checks by calls alone: gateway responses, headers, paths and bodies as API Gateway hands them on.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:tls';
import type { CallOptions } from '../e2e/support/call.ts';
import { openStream } from '../e2e/support/stream-call.ts';
import { type Check, codeOf, type Deployment, expectAnswer, type Outcome } from './check.ts';
import { ISSUER, ORGANIZATION } from './settings.ts';

const hello = { json: { input: 'Hello' } };
const TOO_LARGE = `{"input":"${'x'.repeat(7_000_000)}"}`;

/** A check of one answer: POST of a greeting where `options` say nothing else. */
function answers(
  name: string,
  claim: string,
  path: string,
  [status, code]: readonly [status: number, code?: string],
  options: CallOptions = {},
): Check {
  const run = async ({ call }: Deployment) =>
    expectAnswer(await call(path, { ...hello, ...options }), status, code);
  return { name, claim, run };
}

const at = (neuron: string) => `/${ORGANIZATION}/${neuron}`;
const completionOf = (model: string) => ({
  json: { model, messages: [{ role: 'user', content: 'Hello' }] },
});
const FOREIGN = 'https://other.example.com';

export const ANSWER_CHECKS: readonly Check[] = [
  answers(
    'authorizer-without-identity-source',
    'the authorizer is deployed without IdentitySource and asked for a call without credentials',
    at('open'),
    [200],
  ),
  answers(
    'denied-address',
    'the code of a denial reaches the execution function, which answers 403 with it',
    at('elsewhere'),
    [403, 'ip_not_allowed'],
  ),
  answers('unknown-neuron', 'a neuron that nobody made is 404', at('none'), [404, 'not_found']),
  {
    name: 'execution-id-in-gateway-response',
    claim: 'extendedRequestId stands in body and header of a gateway response, and they are equal',
    async run({ call }) {
      const answer = await call(at('private'), hello);
      const outcome = expectAnswer(answer, 401, 'unauthorized');
      if (!('ok' in outcome)) return outcome;
      const { executionId } = answer.json();
      const header = String(answer.headers['x-execution-id']);
      return executionId === header
        ? { ok: header }
        : { failed: `body ${String(executionId)}, header ${header}` };
    },
  },
  {
    name: 'www-authenticate',
    claim: 'WWW-Authenticate of a 401 is not renamed',
    async run({ call }) {
      const { headers } = await call(at('private'), hello);
      const names = Object.keys(headers).filter((name) => name.includes('www-authenticate'));
      return names.join() === 'www-authenticate'
        ? { ok: String(headers['www-authenticate']) }
        : { failed: `headers: ${names.join() || 'none'}` };
    },
  },
  answers(
    'default-responses',
    'DEFAULT_4XX with a status leaves explicit types theirs: an unknown route is 404',
    '/one/two/three/four',
    [404, 'route_not_found'],
  ),
  answers(
    'unknown-route-with-token',
    'an unknown route with Authorization: Bearer is 404, not 403 of AWS',
    '/one/two/three/four',
    [404, 'route_not_found'],
    { headers: { authorization: 'Bearer x' } },
  ),
  answers('head-and-trace', 'HEAD of a route is 404', at('open'), [404], { method: 'HEAD', json: undefined }),
  answers('preflight', "a browser's preflight is answered without the functions: 204", at('open'), [204], {
    ...{ method: 'OPTIONS', json: undefined },
    headers: { origin: FOREIGN, 'access-control-request-method': 'POST' },
  }),
  answers(
    'two-authorization-headers',
    'two Authorization headers are not made one: 401',
    at('private'),
    [401, 'unauthorized'],
    { headers: { authorization: ['Bearer a', 'Bearer b'] } },
  ),
  {
    name: 'wrong-referer',
    claim: 'an authorizer event has headers: a page that is listed is let in, another one is not',
    async run({ call }) {
      const from = (referer: string) => call(at('linked'), { ...hello, headers: { referer } });
      const rejected = expectAnswer(await from(`${FOREIGN}/`), 403, 'referer_not_allowed');
      return 'ok' in rejected ? expectAnswer(await from('https://app.example.com/'), 200) : rejected;
    },
  },
  answers(
    'two-referer-headers',
    'two Referer headers are not made one: 403',
    at('linked'),
    [403, 'referer_not_allowed'],
    { headers: { referer: ['https://app.example.com/', `${FOREIGN}/`] } },
  ),
  answers(
    'origin-header',
    'the Origin of a page reaches the authorizer, also without a Referer: 403',
    at('linked'),
    [403, 'referer_not_allowed'],
    { headers: { origin: FOREIGN } },
  ),
  answers('doubled-slash', 'a doubled slash at the start of the path is tolerated', `/${at('open')}`, [200]),
  answers('encoded-slug', 'a percent sign in a slug makes it another path: 404', at('ope%6E'), [404]),
  {
    name: 'cached-answer',
    claim: 'the execution function may write the response cache and read it: the second answer is a hit',
    async run({ call }) {
      await call(at('cached'), hello);
      const answer = await call(at('cached'), hello);
      const cache = String(answer.headers['x-cache']);
      return cache === 'hit' ? expectAnswer(answer, 200) : { failed: `${answer.status}, X-Cache: ${cache}` };
    },
  },
  {
    name: 'idempotency-key',
    claim: 'an idempotency key is given back after a refusal, and then repeats the answer of its run',
    async run({ call }) {
      const headers = { 'idempotency-key': `smoke-${randomUUID()}` };
      const rejected = expectAnswer(await call(at('open'), { body: '{', headers }), 400, 'malformed_json');
      const ran = expectAnswer(await call(at('open'), { ...hello, headers }), 200);
      const again = await call(at('open'), { ...hello, headers });
      const failed = [rejected, ran, expectAnswer(again, 200)].find((outcome) => !('ok' in outcome));
      if (failed !== undefined) return failed;
      return again.headers['idempotency-replayed'] === 'true'
        ? { ok: 'repeated' }
        : { failed: 'the second answer is not marked as repeated' };
    },
  },
  answers(
    'openai-completion',
    "the literal v1 wins over the variables of the service's own routes: 200",
    `/v1${at('open')}/chat/completions`,
    [200],
    completionOf('open'),
  ),
  answers(
    'openai-encoded-model',
    'an id with an encoded slash reaches the route of one model: 200',
    `/v1${at('open')}/models/${ORGANIZATION}%2Fopen`,
    [200],
    { method: 'GET', json: undefined },
  ),
  {
    name: 'openai-without-a-key',
    claim: "a 401 is answered in OpenAI's form",
    async run({ call }) {
      const answer = await call(`/v1${at('private')}/chat/completions`, completionOf('private'));
      const seen = `${answer.status} ${answer.text}`;
      const isTheirs = answer.status === 401 && answer.text.includes('"code":"invalid_api_key"');
      return isTheirs ? { ok: seen } : { failed: seen };
    },
  },
  answers('utf-16-body', 'a body that is not UTF-8 is refused as malformed JSON: 400', at('open'), [400], {
    body: Buffer.from('{"input":"Hello"}', 'utf16le'),
  }),
  {
    name: 'too-large',
    claim: 'a body beyond 6 MB is refused, by API Gateway in its own form or in ours',
    async run({ call }) {
      const answer = await call(at('open'), { body: TOO_LARGE });
      const seen = `${answer.status} ${codeOf(answer) ?? "in AWS's own form"}`;
      return [413, 422].includes(answer.status) ? { ok: seen } : { failed: seen };
    },
  },
  {
    name: 'too-large-in-a-page',
    claim: "API Gateway's own 413 has no CORS headers: a page cannot read it, the client explains it",
    async run({ call, isLocal }) {
      if (isLocal) return { notTried: 'only API Gateway answers so' };
      const { status, headers } = await call(at('open'), { body: TOO_LARGE, headers: { origin: FOREIGN } });
      const allowed = headers['access-control-allow-origin'];
      return { ok: `${status}, Access-Control-Allow-Origin: ${allowed ?? 'none'}` };
    },
  },
  {
    name: 'names-are-resolved',
    claim: 'a function resolves a public name by itself: a token of a stranger is 401, not 503',
    async run({ call, isLocal }) {
      if (isLocal) return { notTried: 'the name may be out of reach here' };
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const header = { alg: 'RS256', typ: 'JWT', kid: ORGANIZATION };
      const claims = { iss: ISSUER, exp: Math.floor(Date.now() / 1000) + 600 };
      const token = `${encode(header)}.${encode(claims)}.${Buffer.alloc(256, 1).toString('base64url')}`;
      const headers = { authorization: `Bearer ${token}` };
      return expectAnswer(await call(at('members'), { ...hello, headers }), 401, 'unauthorized');
    },
  },
  answers(
    'missing-secret',
    'a secret that is not set is an error of settings, not of a store: 500',
    at('keyed'),
    [500, 'configuration'],
  ),
  {
    name: 'beyond-29-seconds',
    claim: 'in STREAM transfer an answer may take longer than 29 seconds',
    async run({ call, transferMode, slow }) {
      if (transferMode !== 'STREAM') return { notTried: 'the stage is in BUFFERED transfer' };
      if (!slow) return { notTried: 'takes half a minute: --slow' };
      return expectAnswer(await call(at('slow'), hello), 200);
    },
  },
  {
    name: 'streams-as-written',
    claim: 'in STREAM transfer events reach the caller as they are written',
    async run({ url, transferMode, slow }) {
      if (transferMode !== 'STREAM') return { notTried: 'the stage is in BUFFERED transfer' };
      if (!slow) return { notTried: 'takes some seconds: --slow' };
      // Three words, a second between each of them.
      const open = await openStream(url, at('paced'), { input: 'Hello' });
      await open.next();
      const firstMs = Date.now();
      const { events, whole } = await open.rest();
      const spreadMs = Date.now() - firstMs;
      const ended = whole && events.at(-1)?.event === 'result';
      return ended && spreadMs > 1_000
        ? { ok: `the end came ${spreadMs} ms after the first word` }
        : { failed: `whole: ${whole}, the end came ${spreadMs} ms after the first word` };
    },
  },
  {
    name: 'old-tls',
    claim: 'TLS 1.1 is refused, on a domain of your own too',
    run: async ({ url }) =>
      url.startsWith('https:') ? rejectsOldTls(new URL(url)) : { notTried: 'there is no TLS on 127.0.0.1' },
  },
];

function rejectsOldTls({ hostname, port }: URL): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { host: hostname, port: Number(port || 443), servername: hostname, timeout: 10_000 };
    // OpenSSL itself offers nothing below 1.2 at its usual level.
    const socket = connect({
      ...options,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const end = (outcome: Outcome) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('secureConnect', () => end({ failed: `connected by ${socket.getProtocol()}` }));
    socket.once('timeout', () => end({ failed: 'neither connected nor refused' }));
    socket.once('error', (error) => end({ ok: error.message.slice(0, 80) }));
  });
}
