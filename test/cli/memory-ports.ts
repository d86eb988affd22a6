// Ports in memory, for commands under test.

import { verifyWithSecret } from '../../adapters/jwt/verify-signature.ts';
import { main } from '../../cli/main.ts';
import { createOutput } from '../../cli/output/print.ts';
import type { Ports } from '../../cli/session/ports.ts';
import { NO_JWTS } from '../../core/admin/explain/example-jwt.ts';
import { recordChanges } from '../../core/admin/record-changes.ts';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import type { AlertOutbox, AlertReader } from '../../core/ports/alerts.ts';
import type { UsageLedger, UsageReader } from '../../core/ports/usage.ts';
import { createMemoryConfig, type MemoryConfig } from '../support/memory/admin-store.ts';
import { createMemoryAlerts } from '../support/memory/alerts.ts';
import { createMemoryChangeLog } from '../support/memory/change-log.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { createMemoryCounters, type MemoryCounters } from '../support/memory/counters.ts';
import { createMemoryKeyStore, createMemoryKeyUseStore } from '../support/memory/key-store.ts';
import { createMemoryLineReader } from '../support/memory/line-reader.ts';
import { createMemoryLog } from '../support/memory/log-store.ts';
import { createMemoryRandom } from '../support/memory/random.ts';
import { createMemorySecretAdmin, createMemorySecretReader } from '../support/memory/secrets.ts';
import { createMemoryStoredEntries } from '../support/memory/stored-entries.ts';
import { createMemoryUsage } from '../support/memory/usage.ts';
import { createMemoryTerminal, type Surroundings } from './memory-terminal.ts';

/** 21 November 2026, 12:00 UTC. */
export const NOW_MS = Date.UTC(2026, 10, 21, 12);

/** Ports whose state a test can look into. */
export interface MemoryPorts extends Ports {
  readonly config: MemoryConfig;
  readonly counters: MemoryCounters;
  /** Rollups can be added as the rollup function adds them. */
  readonly usage: UsageLedger & UsageReader;
  /** Alerts can be added as the rollup function adds them. */
  readonly alerts: AlertOutbox & AlertReader;
  /** Values by `ORGANIZATION_ID/PURPOSE/NAME`. */
  readonly secretValues: Parameters<typeof createMemorySecretAdmin>[0];
}

export function createMemoryPorts(): MemoryPorts {
  const config = createMemoryConfig();
  const clock = createMemoryClock(NOW_MS);
  const log = createMemoryLog(clock);
  const keys = createMemoryKeyStore();
  const counters = createMemoryCounters();
  const changes = createMemoryChangeLog();
  const usage = createMemoryUsage(clock);
  const secretValues = new Map() as MemoryPorts['secretValues'];
  const secretReader = createMemorySecretReader(secretValues);
  return {
    config,
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
    keys,
    keyReader: keys,
    keyUses: createMemoryKeyUseStore(),
    secretReader,
    openJwt: async () => ({ ...NO_JWTS, secrets: secretReader, verifyWithSecret }),
    counters,
    counterReader: counters,
    logReader: log,
    logStore: log,
    entries: log,
    storedEntries: createMemoryStoredEntries(log, changes),
    guardedEntries: log,
    personalData: NOTHING_PERSONAL,
    changes,
    recordChange: async (_description, make) => make('chg-test'),
    usage,
    slots: usage,
    alerts: createMemoryAlerts(),
    seals: usage,
    tables: NO_TABLES,
    lines: createMemoryLineReader({}),
    clock,
    random: createMemoryRandom(),
    author: async () => 'arn:aws:iam::123456789012:user/ada',
  };
}

/** Tests of `neuron users` use the embedded DynamoDB. */
const NOTHING_PERSONAL: Ports['personalData'] = {
  requireRights: async () => undefined,
  async *entries() {},
  find: async () => [],
  erase: async () => false,
  async *usage() {},
  async *answers() {},
  async *counters() {},
  remove: async () => true,
};

/** Tests of `neuron restore` use the embedded DynamoDB. */
const NO_TABLES: Ports['tables'] = {
  describe: async () => undefined,
  async *scan() {},
  find: async () => undefined,
  putNew: async () => true,
  addMarks: async () => {},
  turnOn: async () => {},
};

const OUTPUTS = {
  apiUrl: 'http://127.0.0.1:1/',
  configTable: 'config',
  keysTable: 'keys',
  countersTable: 'counters',
  cacheTable: 'cache',
  logsTable: 'logs',
  usageTable: 'usage',
  logShards: '1',
  secretPrefix: 'neuron/test',
  stageName: 'test',
  transferMode: 'STREAM',
  maxDeadlineMs: '60000',
  settingsTtlMs: '15000',
  secretsTtlMs: '300000',
  bedrockModels: '[]',
  providerHosts: 'null',
  counterShards: '1',
  organizationConcurrency: '0',
  authorizerLogGroup: '/aws/lambda/authorizer',
  executeLogGroup: '/aws/lambda/execute',
};

/** Runs a command line against ports and returns what came of it. */
export async function runWith(ports: Ports, words: readonly string[], around: Surroundings = {}) {
  const terminal = createMemoryTerminal(around);
  const exitCode = await main(words, terminal, (options) => ({
    options,
    terminal,
    out: createOutput(terminal, options),
    findStack: async () => ports.stack,
    connect: async () => recordChanges(ports),
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
    previewKeys: {},
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
