// Composition root of a session: the adapters behind its ports, for AWS or the local run.
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createLineReader } from '../../adapters/cloudwatch/line-reader.ts';
import { createAdminStore } from '../../adapters/dynamodb/admin-store.ts';
import { createAlertReader } from '../../adapters/dynamodb/alerts/reader.ts';
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { DOCUMENTS } from '../../adapters/dynamodb/client.ts';
import { createCounterStore } from '../../adapters/dynamodb/counters.ts';
import { createKeyAdmin } from '../../adapters/dynamodb/key-admin.ts';
import { createKeyStore } from '../../adapters/dynamodb/key-store.ts';
import { createKeyUseStore } from '../../adapters/dynamodb/key-use-store.ts';
import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { createPersonalEntries } from '../../adapters/dynamodb/personal/personal-entries.ts';
import { createPersonalItems } from '../../adapters/dynamodb/personal/personal-items.ts';
import { createSlotReader } from '../../adapters/dynamodb/rollouts/slot-reader.ts';
import { createSealReader } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { keepEveryName } from '../../adapters/dynamodb/stored/every-name.ts';
import { createGuardedEntries } from '../../adapters/dynamodb/stored/guarded-entries.ts';
import { createStoredEntries } from '../../adapters/dynamodb/stored/stored-entries.ts';
import { createTableAdmin } from '../../adapters/dynamodb/table-admin.ts';
import { createEntryReader } from '../../adapters/dynamodb/usage-entries.ts';
import { createUsageReader } from '../../adapters/dynamodb/usage-reader.ts';
import { verifyWithSecret } from '../../adapters/jwt/verify-signature.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { systemRandom } from '../../adapters/platform/random.ts';
import { createSecretAdmin } from '../../adapters/secrets/admin.ts';
import { createSecretReader } from '../../adapters/secrets/reader.ts';
import type { JwtPorts } from '../../core/access/jwt.ts';
import { cacheKeySets } from '../../core/access/key-set-cache.ts';
import { recordChanges } from '../../core/admin/record-changes.ts';
import type { OutputValues } from '../../core/contract/outputs.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import { readCallerIdentity } from './aws-account.ts';
import { clientConfig } from './aws-client-config.ts';
import { openHttp } from './open-http.ts';
import type { Ports } from './ports.ts';
import type { Stack } from './stack.ts';

/** No command runs long enough for a cached value to expire. */
const CACHE_MS = 60_000;

/** No request is sent before a port is used. */
export function composePorts(stack: Stack): Ports {
  const { outputs } = stack;
  const database = keepEveryName(new DynamoDBClient(clientConfig(stack, 'dynamodb')));
  const documents = DynamoDBDocumentClient.from(database, DOCUMENTS);
  const client = new SecretsManagerClient(clientConfig(stack, 'secretsmanager'));
  const prefix = outputs.secretPrefix;
  const secretReader = createSecretReader({ prefix, ttlMs: CACHE_MS, clock: systemClock, client });
  return recordChanges({
    stack,
    store: createAdminStore(documents, outputs.configTable),
    secrets: createSecretAdmin(client, prefix, outputs.encryptionKeyArn),
    secretReader,
    openJwt: () => openJwt(secretReader, stack),
    ...composeKeyPorts(documents, outputs),
    ...composeLogPorts(documents, outputs),
    // Its own client: copies are written back, so that names must be those of the table.
    tables: createTableAdmin(new DynamoDBClient(clientConfig(stack, 'dynamodb'))),
    lines: createLineReader(new CloudWatchLogsClient(clientConfig(stack))),
    clock: systemClock,
    random: systemRandom,
    author: () => readCallerIdentity(stack),
  });
}

function composeKeyPorts(
  documents: DynamoDBDocumentClient,
  { keysTable, countersTable }: OutputValues,
): Pick<Ports, 'keys' | 'keyReader' | 'keyUses' | 'counterReader'> {
  return {
    keys: createKeyAdmin(documents, keysTable),
    keyReader: createKeyStore(documents, keysTable),
    keyUses: createKeyUseStore(documents, countersTable),
    counterReader: createCounterStore(documents, countersTable),
  };
}

function composeLogPorts(
  documents: DynamoDBDocumentClient,
  { logsTable, logShards, usageTable, cacheTable, countersTable }: OutputValues,
): Pick<
  Ports,
  | 'logReader'
  | 'logStore'
  | 'storedEntries'
  | 'guardedEntries'
  | 'personalData'
  | 'changes'
  | 'usage'
  | 'slots'
  | 'alerts'
  | 'entries'
  | 'seals'
> {
  const shards = Number(logShards);
  const personal = { logs: logsTable, usage: usageTable, cache: cacheTable, counters: countersTable };
  return {
    logReader: createLogReader(documents, logsTable, { clock: systemClock, shards }),
    logStore: createLogStore(documents, logsTable, shards),
    storedEntries: createStoredEntries(documents, logsTable, { clock: systemClock, shards }),
    guardedEntries: createGuardedEntries(documents, logsTable, { clock: systemClock, shards }),
    personalData: {
      ...createPersonalEntries(documents, personal, { clock: systemClock, shards }),
      ...createPersonalItems(documents, personal),
    },
    changes: createChangeLog(documents, logsTable, systemClock),
    usage: createUsageReader(documents, usageTable, systemClock),
    slots: createSlotReader(documents, usageTable),
    alerts: createAlertReader(documents, usageTable),
    seals: createSealReader(documents, usageTable),
    entries: createEntryReader(documents, logsTable, { clock: systemClock, shards }),
  };
}

async function openJwt(secrets: SecretReader, stack: Stack): Promise<JwtPorts> {
  const http = await openHttp(stack);
  const { createKeySetFetch } = await import('../../adapters/jwks/fetch-key-set.ts');
  const keySets = cacheKeySets(createKeySetFetch(http), systemClock, {
    ttlMs: CACHE_MS,
    maxStaleMs: CACHE_MS,
    refetchAfterMs: CACHE_MS,
    errorBackoffMs: CACHE_MS,
    maximum: 10,
  });
  return { secrets, verifyWithSecret, keySets };
}
