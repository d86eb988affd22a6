// The ports of the execution function with stores in memory, and the events of its calls.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { createGuardServices } from '../../../adapters/guards/index.ts';
import { readingWhole } from '../../../adapters/http/read-whole.ts';
import { createProviders } from '../../../adapters/providers/index.ts';
import { validateJson } from '../../../adapters/schema/validate-json.ts';
import { generateApiKey } from '../../../core/access/api-key.ts';
import type { Route } from '../../../core/contract/routes.ts';
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import type { CounterStore } from '../../../core/ports/counters.ts';
import { createFoundNeurons } from '../../../core/settings/names/found-neurons.ts';
import { cacheNeuronLists } from '../../../core/settings/names/neuron-list.ts';
import { cacheSettings } from '../../../core/settings/settings-cache.ts';
import { cacheVersions } from '../../../core/settings/version-cache.ts';
import type { ExecutionPorts } from '../../../lambdas/execute/compose.ts';
import { composeMemory } from '../../../lambdas/execute/compose-memory.ts';
import { createMemoryConfig } from '../../support/memory/admin-store.ts';
import type { MemoryClock } from '../../support/memory/clock.ts';
import { createMemoryIdempotency } from '../../support/memory/idempotency.ts';
import { createMemoryLines } from '../../support/memory/lines.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';
import { createMemoryVectorIndex } from '../../support/memory/response-cache.ts';
import { createMemorySecretReader, type SecretPath } from '../../support/memory/secrets.ts';

/** What is stored of the neurons of `acme`. */
export interface Stored {
  readonly providers: Readonly<Record<string, object>>;
  readonly prices?: object;
  /** Further settings of the organization. */
  readonly more?: object;
  readonly neurons: Readonly<
    Record<
      string,
      { readonly settings?: object; readonly flow: readonly object[]; readonly variables?: object }
    >
  >;
}

/** The ports of an environment that has served nothing yet. */
export function portsOf(
  { providers, prices, more, neurons }: Stored,
  counters: CounterStore,
  input: Pick<ExecutionPorts, 'responses' | 'logs'> & {
    readonly clock: MemoryClock;
    readonly openHttp: Parameters<typeof readingWhole>[0];
    /** Of guards by services, where it is another one. */
    readonly guardHttp?: Parameters<typeof readingWhole>[0];
  },
): ExecutionPorts {
  const { clock, openHttp, responses, logs } = input;
  const secrets = createMemorySecretReader(
    new Map<SecretPath, string>([
      ['org-1/providers/key', 'sk-one'],
      ['org-1/providers/guard-hmac', 'shared words'],
      ['org-1/providers/log:hmac', 'a'.repeat(44)],
    ]),
  );
  const organization = { id: 'org-1', slug: 'acme', pause: undefined, write: 1 };
  const document = {
    organization: 'acme',
    providers,
    ...(prices === undefined ? {} : { prices }),
    ...more,
  };
  const settings = {
    read: async (_organization: string, slug: string) => {
      const { settings: own } = neurons[slug] ?? {};
      const neuron = {
        ...{ id: slug, organizationId: 'org-1', slug, write: 1, previewKeys: {}, cacheGeneration: 0 },
        document: { neuron: `acme/${slug}`, access: { public: true }, ...own },
        deployment: { version: 'v1', number: 1 },
      };
      return { organization: { ...organization, document }, neuron, maintenance: undefined };
    },
  };
  const versions = {
    read: async (_organization: string, neuronId: string, id: string) => {
      const made = { createdAt: '2026-11-22T12:00:00.000Z', author: 'test', message: undefined };
      const { flow, variables } = neurons[neuronId] ?? {};
      return { id, neuronId, ...made, flow, ...(variables === undefined ? {} : { variables }) };
    },
  };
  const lookUp = createProviders({ secrets, http: readingWhole(openHttp), openHttp, clock });
  const { modelNames } = createMemoryConfig();
  const limits = { ttlMs: 15_000, maxStaleMs: 60_000, unknownMs: 5_000, maximum: 100 };
  return {
    ...{ stage: 'test', transferMode: 'STREAM' as const, clock, random: createMemoryRandom(), validateJson },
    ...{
      lines: createMemoryLines(),
      counterShards: 1,
      defaultConcurrency: undefined,
      maxDeadlineMs: 240_000,
    },
    ...{ settings: cacheSettings(settings, clock, limits), versions: cacheVersions(versions, 100) },
    ...{ modelNames, foundNeurons: createFoundNeurons(clock, limits) },
    neuronLists: cacheNeuronLists(modelNames, clock, limits),
    ...{ counters, responses, logs, secrets, vectors: createMemoryVectorIndex() },
    openIdempotency: async () => createMemoryIdempotency(),
    keyUses: { read: async () => new Map(), record: async () => undefined },
    ...composeMemory(clock),
    // Every stream of a test breaks off, and none of them is to keep the next from being asked for.
    circuits: { within: (neuronId) => createCircuitBreakers(clock).within(neuronId) },
    openGuard: createGuardServices({ secrets, http: readingWhole(input.guardHttp ?? openHttp), clock }),
    providersOf: (usable) => lookUp(usable.organizationId, usable.organization.providers),
  };
}

const RESOURCES = {
  native: '/{organization}/{neuron}',
  openai: '/v1/{organization}/{neuron}/chat/completions',
  responses: '/v1/{organization}/{neuron}/responses',
  anthropic: '/v1/{organization}/{neuron}/messages',
  embeddings: '/v1/{organization}/{neuron}/embeddings',
  mcp: '/v1/{organization}/mcp',
} as const satisfies Record<Route['surface'], string>;

const ANY_KEY = generateApiKey({ bytes: (length) => new Uint8Array(length) }).key;

/** The form of a call. */
export interface CallForm {
  readonly stream?: boolean;
  readonly surface?: keyof typeof RESOURCES;
  readonly idempotencyKey?: string;
  /** At the URL of the organization, with a key of all of its neurons; the body names the neuron. */
  readonly isOfOrganization?: boolean;
}

/** A call of a neuron of `acme` that the authorizer let in. */
export function eventOf(
  neuron: string,
  json: object,
  { stream = true, surface = 'native', idempotencyKey, isOfOrganization = false }: CallForm,
  executionId: string,
  clock: MemoryClock,
): Partial<APIGatewayProxyEvent> {
  const isOfAll = isOfOrganization || surface === 'mcp';
  const ids = { organizationId: 'org-1', neuronId: neuron, settingsVersion: '1.1', authentication: 'public' };
  const authorizer = isOfAll
    ? { outcome: 'key', organization: 'acme', organizationId: 'org-1', keyId: 'key-1' }
    : { outcome: 'allow', organization: 'acme', neuron, ...ids };
  return {
    resource: isOfAll ? RESOURCES[surface].replace('/{neuron}', '') : RESOURCES[surface],
    pathParameters: { organization: 'acme', ...(isOfAll ? {} : { neuron }) },
    multiValueQueryStringParameters: null,
    multiValueHeaders: {
      'content-type': ['application/json'],
      ...(stream ? { accept: ['text/event-stream'] } : {}),
      ...(isOfAll ? { authorization: [`Bearer ${ANY_KEY}`] } : {}),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': [idempotencyKey] }),
    },
    body: JSON.stringify(json),
    isBase64Encoded: false,
    requestContext: {
      ...{ extendedRequestId: executionId, requestTimeEpoch: clock.now() },
      identity: { sourceIp: '203.0.113.7' },
      authorizer,
    } as unknown as APIGatewayProxyEvent['requestContext'],
  };
}
