// A server on loopback that speaks Bedrock's wire format from fixtures, by the model that is asked.
import { readFileSync } from 'node:fs';
import type { FakeAnswer } from '../fake-http.ts';
import { CHAOS, type FixtureServer, startFixtureServer } from '../fixture-server.ts';

/** A recorded or invented answer; source and date are inside the file. */
export function readBedrockFixture(name: string): FakeAnswer {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as FakeAnswer;
}

/** Model `vendor.NAME-v1:0` is answered with the fixture NAME, or in the way that NAME says; its address is for `AWS_ENDPOINT_URL_BEDROCK_RUNTIME`. */
export function startFakeBedrock(): Promise<FixtureServer> {
  return startFixtureServer(({ path }) => {
    const name = /^\/model\/vendor\.([a-z0-9-]+)-v1%3A0\/(?:converse|converse-stream|invoke)$/.exec(
      path,
    )?.[1];
    const chaos = CHAOS.find((one) => one === name);
    return chaos ?? (name === undefined ? undefined : readBedrockFixture(name));
  });
}
