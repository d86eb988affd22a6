// Ports in memory, for commands under test.

import { createMemoryConfig, type MemoryConfig } from '../../adapters/memory/admin-store.ts';
import { createMemoryClock } from '../../adapters/memory/clock.ts';
import { createMemoryRandom } from '../../adapters/memory/random.ts';
import { main } from '../../cli/main.ts';
import type { Ports } from '../../cli/ports.ts';
import { createOutput } from '../../cli/print.ts';
import type { LogEntry } from '../../core/logs/entry.ts';
import type { NeuronRecord, OrganizationRecord, SecretAdmin } from '../../core/ports/administration.ts';
import { createMemoryTerminal, type Surroundings } from './memory-terminal.ts';

/** 21 November 2026, 12:00 UTC. */
export const NOW_MS = Date.UTC(2026, 10, 21, 12);

/** Ports whose state a test can look into. */
export interface MemoryPorts extends Ports {
  readonly config: MemoryConfig;
  readonly entries: LogEntry[];
  /** Values by `ORGANIZATION_ID/PURPOSE/NAME`. */
  readonly secretValues: Map<string, string>;
}

export function createMemoryPorts(): MemoryPorts {
  const config = createMemoryConfig();
  const entries: LogEntry[] = [];
  const secretValues = new Map<string, string>();
  return {
    config,
    entries,
    secretValues,
    stack: {
      name: 'NeuronApi-test',
      url: 'http://127.0.0.1:1',
      region: undefined,
      profile: undefined,
      outputs: OUTPUTS,
      local: undefined,
    },
    store: config.admin,
    secrets: createMemorySecretAdmin(secretValues),
    logReader: {
      async *list({ organizationId, neuronId, fromMs, toMs }) {
        const wanted = entries.filter(
          (entry) =>
            entry.organizationId === organizationId &&
            (neuronId === undefined || entry.neuronId === neuronId) &&
            entry.timeMs >= fromMs &&
            entry.timeMs < toMs,
        );
        yield* wanted.sort((a, b) => b.timeMs - a.timeMs);
      },
      find: async (executionId) => entries.find((entry) => entry.executionId === executionId),
    },
    logStore: { put: async (entry) => void entries.push(entry) },
    clock: createMemoryClock(NOW_MS),
    random: createMemoryRandom(),
    author: async () => 'arn:aws:iam::123456789012:user/ada',
  };
}

const OUTPUTS = {
  apiUrl: 'http://127.0.0.1:1/',
  configTable: 'config',
  keysTable: 'keys',
  countersTable: 'counters',
  cacheTable: 'cache',
  logsTable: 'logs',
  usageTable: 'usage',
  secretPrefix: 'neuron/test',
  stageName: 'test',
  transferMode: 'STREAM',
  maxDeadlineMs: '60000',
  authorizerLogGroup: '/aws/lambda/authorizer',
  executeLogGroup: '/aws/lambda/execute',
};

function createMemorySecretAdmin(values: Map<string, string>): SecretAdmin {
  const namesUnder = (prefix: string) =>
    [...values.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  return {
    list: async (organizationId, purpose) => namesUnder(`${organizationId}/${purpose}/`).sort(),
    set: async (organizationId, purpose, name, value) => {
      values.set(`${organizationId}/${purpose}/${name}`, value);
    },
    remove: async (organizationId, purpose, name) => values.delete(`${organizationId}/${purpose}/${name}`),
    mintLogKey: async (organizationId) => {
      values.set(`${organizationId}/log/hmac`, 'minted');
    },
    removeAll: async (organizationId) => {
      for (const name of namesUnder(`${organizationId}/`)) values.delete(`${organizationId}/${name}`);
    },
  };
}

/** Runs a command line against ports and returns what came of it. */
export async function runWith(ports: Ports, words: readonly string[], around: Surroundings = {}) {
  const terminal = createMemoryTerminal(around);
  const exitCode = await main(words, terminal, (options) => ({
    options,
    terminal,
    out: createOutput(terminal, options),
    findStack: async () => ports.stack,
    connect: async () => ports,
  }));
  return { exitCode, hidden: terminal.hidden, ...terminal.printed };
}

const STAMP = {
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  updatedBy: 'local',
};

/** An organization as stored; its id is `id-` and its slug. */
export function organizationRecord(slug: string, document: object = {}): OrganizationRecord {
  return {
    id: `id-${slug}`,
    slug,
    document: { organization: slug, ...document },
    pause: undefined,
    write: 0,
    ...STAMP,
  };
}

/** A neuron as stored; its id is `id-` and its slug. */
export function neuronRecord(organization: string, slug: string, document: object = {}): NeuronRecord {
  return {
    id: `id-${slug}`,
    organizationId: `id-${organization}`,
    slug,
    document: { neuron: `${organization}/${slug}`, ...document },
    deployment: { version: 'v2', number: 5 },
    cacheGeneration: 0,
    latestVersion: 3,
    deployments: 5,
    write: 0,
    ...STAMP,
  };
}

/** A log entry of `acme/hello`, a minute ago. */
export function logEntry(changes: Partial<LogEntry> = {}): LogEntry {
  return {
    executionId: 'exec-1=',
    timeMs: NOW_MS - 60_000,
    organization: 'acme',
    organizationId: 'id-acme',
    neuron: 'hello',
    neuronId: 'id-hello',
    version: 'v1',
    outcome: 'success',
    status: 200,
    code: undefined,
    reason: undefined,
    sourceIp: '203.0.113.7',
    refererHost: undefined,
    username: undefined,
    keyId: undefined,
    authentication: 'public',
    cache: 'miss',
    latencyMs: 120.4,
    ownLatencyMs: 3.2,
    tokensInput: 11,
    tokensOutput: 22,
    costMicrodollars: null,
    savingsMicrodollars: 0,
    modelCalls: [],
    trace: [],
    input: undefined,
    output: undefined,
    count: 1,
    expiresAt: NOW_MS / 1000 + 86_400,
    restored: false,
    ...changes,
  };
}
