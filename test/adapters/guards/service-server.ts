// A guard by a service, opened as a stage opens it, before a server that answers what a test says.
import { afterAll, beforeAll } from 'vitest';
import { createGuardServices } from '../../../adapters/guards/index.ts';
import type { Http } from '../../../adapters/http/message.ts';
import type { GuardRequest, GuardVerdict } from '../../../core/ports/guards.ts';
import type { SecretReader } from '../../../core/ports/stores.ts';
import type { ServiceGuard } from '../../../core/settings/guards/guards-schema.ts';
import { organizationSchema } from '../../../core/settings/organization-schema.ts';
import { createMemorySecretReader } from '../../support/memory/secrets.ts';
import type { FakeAnswer } from '../providers/fake-http.ts';
import {
  type Chaos,
  type FixtureServer,
  type ReceivedRequest,
  startFixtureServer,
} from '../providers/fixture-server.ts';

type Answering = (request: ReceivedRequest) => FakeAnswer | Chaos;

let http: Http;
let server: FixtureServer;
let answering: Answering;

/** To be called once by a test file. */
export function useServer(): void {
  beforeAll(async () => {
    Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
    const { createHttp } = await import('../../../adapters/http/request.ts');
    http = createHttp();
    server = await startFixtureServer((request) => answering(request));
  });
  afterAll(() => server.stop());
}

export const received = (): readonly ReceivedRequest[] => server.received;
export const address = (): string => server.url;

/** Sets how the service answers from now on; an object is the JSON of a 200. */
export function answerWith(answer: Answering | FakeAnswer): void {
  answering = typeof answer === 'function' ? answer : () => answer;
}

export const ok = (body: unknown): FakeAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
});

const TEXTS: GuardRequest['texts'] = [{ role: 'user', text: 'Hello' }];

/** `guard` and `providers` are given the address of the server. `keys`: the secret as it is cached, and as it is now. */
export async function inspect(
  guard: (url: string) => object,
  request: Partial<GuardRequest> = {},
  providers: (url: string) => object = () => ({}),
  [cached, now = cached]: readonly [string, string?] = ['a-key'],
): Promise<GuardVerdict> {
  const readers = [cached, now].map((key) =>
    createMemorySecretReader(new Map([['org-1/providers/key', key]])),
  );
  const secrets: SecretReader = {
    read: async (organizationId, purpose, name, { fresh = false } = {}) =>
      readers[Number(fresh)]?.read(organizationId, purpose, name),
  };
  const organization = organizationSchema.parse({
    organization: 'acme',
    providers: providers(server.url),
    guards: { ours: guard(server.url) },
  });
  const open = createGuardServices({ secrets, http, clock: { now: () => 0 } });
  const service = await open(organization.guards?.['ours'] as ServiceGuard, {
    organizationId: 'org-1',
    providers: organization.providers,
  });
  return service.inspect({ stage: 'input', texts: TEXTS, signal: AbortSignal.timeout(5_000), ...request });
}

/** Whether settings take a guard. */
export function takes(guard: object): boolean {
  return organizationSchema.safeParse({ organization: 'acme', guards: { ours: guard } }).success;
}
