// A server on loopback that speaks the wire format of the Messages API from fixtures, by the model that is asked.
import { readFileSync } from 'node:fs';
import type { FakeAnswer } from '../fake-http.ts';
import { CHAOS, type FixtureServer, startFixtureServer } from '../fixture-server.ts';

/** A published or invented answer; source and date are inside the file. */
export function readAnthropicFixture(name: string): FakeAnswer {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as FakeAnswer;
}

/** Model NAME is answered with the fixture NAME, or in the way that NAME says. Another key than `key` is answered 401. */
export function startFakeAnthropic(key: string): Promise<FixtureServer> {
  return startFixtureServer(({ path, headers, body }) => {
    if (path !== '/v1/messages') return undefined;
    if (headers['x-api-key'] !== key) return readAnthropicFixture('invented-error-401-authentication');
    const { model } = JSON.parse(body) as { readonly model: string };
    return CHAOS.find((one) => one === model) ?? readAnthropicFixture(model);
  });
}
