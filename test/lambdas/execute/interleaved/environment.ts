// One environment of the execution function that serves eight organizations.
import type { Readable } from 'node:stream';
import { setImmediate as later } from 'node:timers/promises';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { createGuardServices } from '../../../../adapters/guards/index.ts';
import { readingWhole } from '../../../../adapters/http/read-whole.ts';
import { createProviders } from '../../../../adapters/providers/index.ts';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import { cacheSettings } from '../../../../core/settings/settings-cache.ts';
import { cacheVersions } from '../../../../core/settings/version-cache.ts';
import { serve } from '../../../../lambdas/execute/serve.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { createMemoryIdempotency } from '../../../support/memory/idempotency.ts';
import { createMemoryResponseCache } from '../../../support/memory/response-cache.ts';
import { createMemorySecretReader, type SecretPath } from '../../../support/memory/secrets.ts';
import { eventOf, portsOf } from '../memory-ports.ts';
import { bodyOf, type ManyCall, textOf, traceparentOf } from './calls.ts';
import { ORGANIZATIONS, secretsOf, storedOf, versionOf } from './organizations.ts';
import { openUpstream } from './upstream.ts';

const LIMITS = { ttlMs: 15_000, maxStaleMs: 60_000, unknownMs: 5_000, maximum: 100 };

export const executionIdOf = (index: number) => `call-${index}`;

export interface ManyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type Environment = ReturnType<typeof openEnvironment>;

export function openEnvironment() {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const lines: string[] = [];
  const { asked, openHttp } = openUpstream();
  const counters = createMemoryCounters();
  const secrets = createMemorySecretReader(
    new Map(
      ORGANIZATIONS.flatMap((id) =>
        Object.entries(secretsOf(id)).map(([name, value]): [SecretPath, string] => [
          `${id}/providers/${name}`,
          value,
        ]),
      ),
    ),
  );
  const memory = portsOf({ providers: {}, neurons: {} }, counters, {
    clock,
    openHttp,
    responses: createMemoryResponseCache(),
    logs: { put: async (entry) => entries.push(entry) > 0 },
  });
  const idempotency = createMemoryIdempotency();
  const http = readingWhole(openHttp);
  const lookUp = createProviders({ secrets, http, openHttp, clock });
  const ports = {
    ...memory,
    secrets,
    openGuard: createGuardServices({ secrets, http, clock }),
    openIdempotency: async () => idempotency,
    lines: { write: (line: string) => void lines.push(line) },
    settings: cacheSettings(
      { read: async (slug: string, neuron: string) => storedOf(slug, neuron) },
      clock,
      LIMITS,
    ),
    versions: cacheVersions(
      { read: async (_organization: string, neuronId: string, id: string) => versionOf(neuronId, id) },
      100,
    ),
    providersOf: (usable: Parameters<typeof memory.providersOf>[0]) =>
      lookUp(usable.organizationId, usable.organization.providers),
  };

  async function call(one: ManyCall, index: number): Promise<ManyAnswer> {
    const controller = new AbortController();
    const { killedAfter, startsAfter } = one;
    await turns(startsAfter);
    if (killedAfter !== undefined)
      void turns(killedAfter).then(() => controller.abort(new Error('the function ends')));
    const event = toEvent(one, index, clock);
    const served = await serve(event as unknown as APIGatewayProxyEvent, controller.signal, ports);
    const { status, body, headers } = served.answer();
    const text = typeof body === 'string' ? body : await readBody(body, one.leaves);
    await served.finish();
    return { status, headers: headers as ManyAnswer['headers'], text };
  }
  return { call, entries, lines, asked, counters };
}

async function turns(count: number): Promise<void> {
  for (let left = count; left >= 0; left -= 1) await later();
}

/** The event of API Gateway: a caller whom the authorizer let in. Its id is one that callers of all organizations have. */
function toEvent(one: ManyCall, index: number, clock: ReturnType<typeof createMemoryClock>) {
  const { organization, neuron, surface, isOfOrganization } = one;
  const form = {
    surface,
    isOfOrganization,
    stream: surface === 'native' && one.stream,
    ...(neuron === 'once' ? { idempotencyKey: `key-${one.topic}` } : {}),
  };
  const event = eventOf(neuron, bodyOf(one, textOf(one, index)), form, executionIdOf(index), clock);
  const own = {
    organization,
    organizationId: organization,
    keyId: 'ann',
    ...(isOfOrganization ? {} : { neuronId: `${organization}-${neuron}`, authentication: 'apiKey' }),
  };
  return {
    ...event,
    multiValueHeaders: { ...event.multiValueHeaders, traceparent: [traceparentOf(index)] },
    pathParameters: { organization, ...(isOfOrganization ? {} : { neuron }) },
    requestContext: {
      ...event.requestContext,
      authorizer: { ...event.requestContext?.authorizer, ...own },
    },
  };
}

async function readBody(body: Readable, leaves: boolean): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) {
    pieces.push(piece as Buffer);
    // Leaving the loop destroys the stream.
    if (leaves) break;
  }
  return Buffer.concat(pieces).toString();
}
