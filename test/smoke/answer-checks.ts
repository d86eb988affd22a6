// Checks by calls alone: gateway responses, headers, paths and bodies as API Gateway hands them on.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:tls';
import { openStream } from '../e2e/support/stream-call.ts';
import { type Check, codeOf, expectAnswer, type Outcome } from './check.ts';
import { ISSUER, ORGANIZATION } from './settings.ts';

const OPEN = `/${ORGANIZATION}/open`;
const hello = { json: { input: 'Hello' } };
const completionOf = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hello' }] });

export const ANSWER_CHECKS: readonly Check[] = [
  {
    name: 'authorizer-without-identity-source',
    claim: 'the authorizer is deployed without IdentitySource and asked for a call without credentials',
    run: async ({ call }) => expectAnswer(await call(OPEN, hello), 200),
  },
  {
    name: 'denied-address',
    claim: 'the code of a denial reaches the execution function, which answers 403 with it',
    run: async ({ call }) =>
      expectAnswer(await call(`/${ORGANIZATION}/elsewhere`, hello), 403, 'ip_not_allowed'),
  },
  {
    name: 'execution-id-in-gateway-response',
    claim: 'extendedRequestId stands in body and header of a gateway response, and they are equal',
    async run({ call }) {
      const answer = await call(`/${ORGANIZATION}/private`, hello);
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
      const { headers } = await call(`/${ORGANIZATION}/private`, hello);
      const names = Object.keys(headers).filter((name) => name.includes('www-authenticate'));
      return names.join() === 'www-authenticate'
        ? { ok: String(headers['www-authenticate']) }
        : { failed: `headers: ${names.join() || 'none'}` };
    },
  },
  {
    name: 'default-responses',
    claim: 'DEFAULT_4XX with a status leaves explicit types theirs: an unknown route is 404',
    run: async ({ call }) => expectAnswer(await call('/one/two/three/four', hello), 404, 'route_not_found'),
  },
  {
    name: 'unknown-route-with-token',
    claim: 'an unknown route with Authorization: Bearer is 404, not 403 of AWS',
    run: async ({ call }) =>
      expectAnswer(
        await call('/one/two/three/four', { ...hello, headers: { authorization: 'Bearer x' } }),
        404,
        'route_not_found',
      ),
  },
  {
    name: 'head-and-trace',
    claim: 'HEAD of a route is 404',
    run: async ({ call }) => expectAnswer(await call(OPEN, { method: 'HEAD' }), 404),
  },
  {
    name: 'two-authorization-headers',
    claim: 'two Authorization headers are not made one: 401',
    run: async ({ call }) =>
      expectAnswer(
        await call(`/${ORGANIZATION}/private`, {
          ...hello,
          headers: { authorization: ['Bearer a', 'Bearer b'] },
        }),
        401,
        'unauthorized',
      ),
  },
  {
    name: 'wrong-referer',
    claim: 'an authorizer event has headers: a page that is listed is let in, another one is not',
    async run({ call }) {
      const from = (referer: string) => call(`/${ORGANIZATION}/linked`, { ...hello, headers: { referer } });
      const rejected = expectAnswer(await from('https://other.example.com/'), 403, 'referer_not_allowed');
      return 'ok' in rejected ? expectAnswer(await from('https://app.example.com/'), 200) : rejected;
    },
  },
  {
    name: 'two-referer-headers',
    claim: 'two Referer headers are not made one: 403',
    run: async ({ call }) =>
      expectAnswer(
        await call(`/${ORGANIZATION}/linked`, {
          ...hello,
          headers: { referer: ['https://app.example.com/', 'https://other.example.com/'] },
        }),
        403,
        'referer_not_allowed',
      ),
  },
  {
    name: 'origin-header',
    claim: 'the Origin of a page reaches the authorizer, also without a Referer: 403',
    run: async ({ call }) =>
      expectAnswer(
        await call(`/${ORGANIZATION}/linked`, { ...hello, headers: { origin: 'https://other.example.com' } }),
        403,
        'referer_not_allowed',
      ),
  },
  {
    name: 'doubled-slash',
    claim: 'a doubled slash at the start of the path is tolerated',
    run: async ({ call }) => expectAnswer(await call(`/${OPEN}`, hello), 200),
  },
  {
    name: 'encoded-slug',
    claim: 'a percent sign in a slug makes it another path: 404',
    run: async ({ call }) => expectAnswer(await call(OPEN.replace('open', 'ope%6E'), hello), 404),
  },
  {
    name: 'idempotency-key',
    claim: 'an idempotency key is given back after a refusal, and then repeats the answer of its run',
    async run({ call }) {
      const headers = { 'idempotency-key': `smoke-${randomUUID()}` };
      const rejected = expectAnswer(await call(OPEN, { body: '{', headers }), 400, 'malformed_json');
      const ran = expectAnswer(await call(OPEN, { ...hello, headers }), 200);
      const again = await call(OPEN, { ...hello, headers });
      const failed = [rejected, ran, expectAnswer(again, 200)].find((outcome) => !('ok' in outcome));
      if (failed !== undefined) return failed;
      return again.headers['idempotency-replayed'] === 'true'
        ? { ok: 'repeated' }
        : { failed: 'the second answer is not marked as repeated' };
    },
  },
  {
    name: 'openai-completion',
    claim: "the literal v1 wins over the variables of the service's own routes: 200",
    run: async ({ call }) =>
      expectAnswer(await call(`/v1/${OPEN.slice(1)}/chat/completions`, { json: completionOf('open') }), 200),
  },
  {
    name: 'openai-encoded-model',
    claim: 'an id with an encoded slash reaches the route of one model: 200',
    run: async ({ call }) =>
      expectAnswer(await call(`/v1/${OPEN.slice(1)}/models/${ORGANIZATION}%2Fopen`, { method: 'GET' }), 200),
  },
  {
    name: 'openai-without-a-key',
    claim: "a 401 is answered in OpenAI's form",
    async run({ call }) {
      const answer = await call(`/v1/${ORGANIZATION}/private/chat/completions`, {
        json: completionOf('private'),
      });
      const seen = `${answer.status} ${answer.text}`;
      const isTheirs = answer.status === 401 && answer.text.includes('"code":"invalid_api_key"');
      return isTheirs ? { ok: seen } : { failed: seen };
    },
  },
  {
    name: 'utf-16-body',
    claim: 'a body that is not UTF-8 is refused as malformed JSON: 400',
    run: async ({ call }) =>
      expectAnswer(
        await call(OPEN, {
          body: Buffer.from('{"input":"Hello"}', 'utf16le'),
          headers: { 'content-type': 'application/json' },
        }),
        400,
      ),
  },
  {
    name: 'too-large',
    claim: 'a body beyond 6 MB is refused, by API Gateway in its own form or in ours',
    async run({ call }) {
      const answer = await call(OPEN, { body: `{"input":"${'x'.repeat(7_000_000)}"}` });
      const seen = `${answer.status} ${codeOf(answer) ?? "in AWS's own form"}`;
      return [413, 422].includes(answer.status) ? { ok: seen } : { failed: seen };
    },
  },
  {
    name: 'too-large-in-a-page',
    claim: "API Gateway's own 413 has no CORS headers: a page cannot read it, the client explains it",
    async run({ call, isLocal }) {
      if (isLocal) return { notTried: 'only API Gateway answers so' };
      const { status, headers } = await call(OPEN, {
        body: `{"input":"${'x'.repeat(7_000_000)}"}`,
        headers: { origin: 'https://app.example.com' },
      });
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
      return expectAnswer(await call(`/${ORGANIZATION}/members`, { ...hello, headers }), 401, 'unauthorized');
    },
  },
  {
    name: 'missing-secret',
    claim: 'a secret that is not set is an error of settings, not of a store: 500',
    run: async ({ call }) => expectAnswer(await call(`/${ORGANIZATION}/unset`, hello), 500, 'configuration'),
  },
  {
    name: 'beyond-29-seconds',
    claim: 'in STREAM transfer an answer may take longer than 29 seconds',
    async run({ call, transferMode, slow }) {
      if (transferMode !== 'STREAM') return { notTried: 'the stage is in BUFFERED transfer' };
      if (!slow) return { notTried: 'takes half a minute: --slow' };
      return expectAnswer(await call(`/${ORGANIZATION}/slow`, hello), 200);
    },
  },
  {
    name: 'streams-as-written',
    claim: 'in STREAM transfer events reach the caller as they are written',
    async run({ url, transferMode, slow }) {
      if (transferMode !== 'STREAM') return { notTried: 'the stage is in BUFFERED transfer' };
      if (!slow) return { notTried: 'takes some seconds: --slow' };
      // Three words, a second between each of them.
      const open = await openStream(url, `/${ORGANIZATION}/paced`, { input: 'Hello' });
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
