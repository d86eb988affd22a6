// Calls over HTTP as any client makes them, and what their answers must be on AWS.
import { type Answer, callUrl } from '../e2e/support/call.ts';
import type { Check } from './row.ts';

/** Status, code of an error, and the id that every answer has. */
export function summarize(answer: Answer): string {
  let code = '';
  try {
    const { code: args } = answer.json();
    if (typeof args === 'string') code = ` ${args}`;
  } catch {
    code = answer.text === '' ? '' : ` ${answer.text.slice(0, 80)}`;
  }
  const cache = answer.headers['x-cache'];
  return `${answer.status}${code}${cache === undefined ? '' : `, cache ${String(cache)}`}`;
}

/** Settings of `CALLED`. */
export const CALLED = 'emulated';
export const CALLED_SETTINGS = `organization: ${CALLED}
providers:
  demo: { type: echo }
---
neuron: ${CALLED}/open
access: { public: true }
rateLimits:
  - { metric: requests, scope: total, limit: 100000, period: 1h }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${CALLED}/cached
access: { public: true }
caching: { exact: true }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${CALLED}/private
access: { apiKey: true }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${CALLED}/elsewhere
access: { ips: [203.0.113.7] }
flow:
  - callModel: { provider: demo, model: echo-1 }
`;

/** Calls against the address `origin`; the settings above must act. */
export function callChecks(origin: string): readonly Check[] {
  const hello = { json: { input: 'Hello' } };
  const call = (path: string, options = {}) => callUrl(origin, path, { ...hello, ...options });
  const answered = async (path: string, options = {}) => summarize(await call(path, options));
  return [
    {
      name: 'call of a public neuron',
      expected: '200, cache off',
      observe: () => answered(`/${CALLED}/open`),
    },
    {
      name: 'second call of a cached neuron',
      expected: '200, cache hit',
      async observe() {
        await call(`/${CALLED}/cached`);
        return answered(`/${CALLED}/cached`);
      },
    },
    { name: 'no credentials', expected: '401 unauthorized', observe: () => answered(`/${CALLED}/private`) },
    {
      name: 'an address that is not allowed',
      expected: '403 ip_not_allowed',
      observe: () => answered(`/${CALLED}/elsewhere`),
    },
    {
      name: 'a neuron that nobody made',
      expected: '404 not_found',
      observe: () => answered(`/${CALLED}/none`),
    },
    {
      name: 'a route that does not exist',
      expected: '404 route_not_found',
      observe: () => answered('/a/b/c/d'),
    },
    {
      name: 'preflight of a browser',
      expected: '204',
      async observe() {
        const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
        return summarize(await callUrl(origin, `/${CALLED}/open`, { method: 'OPTIONS', headers }));
      },
    },
  ];
}
