// A server on loopback that stands in for Bedrock's guardrails, and opens our adapters and AWS's own client before it.
import { readFileSync } from 'node:fs';
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { vi } from 'vitest';
import { createGuardServices } from '../../../../adapters/guards/index.ts';
import type { GuardRequest } from '../../../../core/ports/guards.ts';
import type { ServiceGuard } from '../../../../core/settings/guards/guards-schema.ts';
import { organizationSchema } from '../../../../core/settings/organization-schema.ts';
import { createMemorySecretReader } from '../../../support/memory/secrets.ts';
import type { FakeAnswer } from '../../providers/fake-http.ts';
import { startFixtureServer } from '../../providers/fixture-server.ts';

export const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET, sessionToken: 'the/token==' };

/** A recorded or invented answer; source and date are inside the file. */
export function readGuardFixture(name: string): FakeAnswer {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as FakeAnswer;
}

/** A guard of the type, with what settings leave out. Throws for settings that are none. */
export function guardOf(settings: object): ServiceGuard {
  const { guards } = organizationSchema.parse({ organization: 'acme', guards: { one: settings } });
  return guards?.['one'] as ServiceGuard;
}

/** Answers every call alike until `answerWith` says otherwise. */
export async function startFakeGuardrails() {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createHttp } = await import('../../../../adapters/http/request.ts');
  let answer: FakeAnswer = { status: 404, body: {} };
  const server = await startFixtureServer(() => answer);
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', server.url);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  vi.stubEnv('AWS_SESSION_TOKEN', credentials.sessionToken);
  const open = createGuardServices({
    secrets: createMemorySecretReader(new Map()),
    http: createHttp(),
    clock: { now: Date.now },
  });
  return {
    /** The AWS SDK's client. It speaks HTTP/2 by itself, which the server does not. */
    clientOf: (region: string) =>
      new BedrockRuntimeClient({
        region,
        credentials,
        maxAttempts: 1,
        requestHandler: new NodeHttpHandler(),
      }),
    async inspect(settings: object, request: Partial<GuardRequest> & Pick<GuardRequest, 'texts'>) {
      const service = await open(guardOf(settings), { organizationId: 'org-1', providers: {} });
      return service.inspect({ stage: 'input', signal: AbortSignal.timeout(5_000), ...request });
    },
    answerWith(next: FakeAnswer) {
      answer = next;
    },
    last() {
      const request = server.received.at(-1);
      if (request === undefined) throw new Error('nothing was received');
      return request;
    },
    async stop() {
      vi.unstubAllEnvs();
      await server.stop();
    },
  };
}

export type FakeGuardrails = Awaited<ReturnType<typeof startFakeGuardrails>>;
