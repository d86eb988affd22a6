// The services of a local run: database, secrets, events and notifications. They outlive a reload of the template.

import { join } from 'node:path';
import type { DataFolder } from './data-folder/index.ts';
import { type CallDynamoDb, createCaller } from './dynamodb/call.ts';
import { type EngineFeatures, startEngine } from './dynamodb/engine.ts';
import { localFailure } from './failure.ts';
import { isLoopbackUrl } from './loopback/access.ts';
import { startGuard } from './loopback/guard.ts';
import { startMessagesServer } from './messages/server.ts';
import { startSecretsServer } from './secrets/server.ts';
import { openSecretStore, type SecretStore } from './secrets/store.ts';
import { secretArn } from './template/identities.ts';

/** Settings for starting the stores. */
interface StoresSettings {
  readonly engine: 'dynoxide' | 'dynalite';
  /** A DynamoDB that runs already. */
  readonly dynamodbEndpoint: string | undefined;
  readonly region: string;
  readonly accountId: string;
  readonly log: (line: string) => void;
}

/** The stores, answering. */
export interface Stores {
  /** Endpoint of the database for programs of this machine, behind a guard. */
  readonly dynamodb: string;
  /** The database itself, for the functions: a call of theirs costs no hop more. */
  readonly engine: string;
  /** Endpoint of the stand-in for Secrets Manager. */
  readonly secretsmanager: string;
  /** Endpoint of the stand-ins for EventBridge and SNS, for the functions. */
  readonly messages: string;
  readonly call: CallDynamoDb;
  readonly features: EngineFeatures;
  readonly secrets: SecretStore;
  stop(): Promise<void>;
}

/**
 * Starts both on random ports of 127.0.0.1, on paths that are secret.
 * @throws LocalFailure `ENGINE_FAILED` or `DATA_FOLDER_UNREADABLE`; nothing is left running then
 */
export async function startStores(folder: DataFolder, settings: StoresSettings): Promise<Stores> {
  const { region, accountId, log, dynamodbEndpoint } = settings;
  if (dynamodbEndpoint !== undefined && !isLoopbackUrl(dynamodbEndpoint)) {
    throw localFailure(
      'ENGINE_FAILED',
      `DYNAMODB_ENDPOINT is ${dynamodbEndpoint}, which is not on this machine. Forward a port of 127.0.0.1 to it, and name that one.`,
    );
  }
  const now = () => Math.floor(Date.now() / 1000);
  const secrets = openSecretStore(join(folder.path, 'secrets'), now);
  const partition = region.startsWith('cn-') ? 'aws-cn' : 'aws';
  const pseudo = { region, accountId, partition, urlSuffix: '' };
  const arnOf = (name: string) => secretArn(pseudo, name);
  const server = await startSecretsServer({ store: secrets, now, arnOf }, log);
  const messages = await startMessages(folder, { region, accountId, log }).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  try {
    const engine = await startEngine({
      kind: settings.engine,
      endpoint: dynamodbEndpoint,
      dataFolder: folder.path,
      inMemory: folder.ephemeral,
      region,
      onSpawn: (pid) => folder.noteEngine(pid),
      log,
    });
    const guard = engine.kind === 'given' ? undefined : await startGuard(engine.endpoint);
    return {
      engine: engine.endpoint,
      dynamodb: guard?.endpoint ?? engine.endpoint,
      secretsmanager: server.endpoint,
      messages: messages.endpoint,
      call: createCaller(engine.endpoint, region),
      features: engine.features,
      secrets,
      stop: async () => {
        await Promise.all([server.stop(), messages.stop(), guard?.stop(), engine.stop()]);
      },
    };
  } catch (error) {
    await Promise.all([server.stop(), messages.stop()]);
    throw error;
  }
}

function startMessages(
  { path: dataFolder }: DataFolder,
  { region, accountId, log }: Pick<StoresSettings, 'region' | 'accountId' | 'log'>,
) {
  return startMessagesServer({ dataFolder, origin: { region, accountId }, now: Date.now, log });
}
