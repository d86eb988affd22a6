// The services of a run: database, secrets, events and notifications. They outlive a reload of the template.

import { join } from 'node:path';
import type { DataFolder } from './data-folder/index.ts';
import { type CallDynamoDb, createCaller } from './dynamodb/call.ts';
import { type EngineFeatures, startEngine } from './dynamodb/engine.ts';
import { localFailure } from './failure.ts';
import { isLoopbackUrl } from './loopback/access.ts';
import { startGuard } from './loopback/guard.ts';
import { startMessagesServer } from './messages/server.ts';
import { startSecretsServer } from './secrets/server.ts';

interface StoresSettings {
  readonly engine: 'dynoxide' | 'dynalite';
  /** A DynamoDB that runs already. */
  readonly dynamodbEndpoint: string | undefined;
  readonly region: string;
  readonly accountId: string;
  readonly log: (line: string) => void;
}

export interface Stores {
  /** Endpoint of the database for programs of this machine, behind a guard. */
  readonly dynamodb: string;
  /** Endpoint of the database itself, for the functions: the guard would slow their calls down. */
  readonly engine: string;
  readonly secretsmanager: string;
  /** Endpoint of EventBridge and SNS, for the functions. */
  readonly messages: string;
  readonly call: CallDynamoDb;
  readonly features: EngineFeatures;
  stop(): Promise<void>;
}

/**
 * Starts all services on random ports of 127.0.0.1 and secret paths.
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
  const running: { stop(): Promise<void> }[] = [];
  const stop = async () => void (await Promise.all(running.map((service) => service.stop())));
  const track = <S extends { stop(): Promise<void> }>(service: S): S => {
    running.push(service);
    return service;
  };
  try {
    const secrets = track(
      await startSecretsServer({ folder: join(folder.path, 'secrets'), region, accountId, log }),
    );
    const messages = track(await startMessagesServer({ dataFolder: folder.path, region, accountId, log }));
    const engine = track(
      await startEngine({
        kind: settings.engine,
        endpoint: dynamodbEndpoint,
        dataFolder: folder.path,
        inMemory: folder.ephemeral,
        region,
        onSpawn: (pid) => folder.noteEngine(pid),
        log,
      }),
    );
    const guard = engine.kind === 'external' ? engine : track(await startGuard(engine.endpoint));
    return {
      engine: engine.endpoint,
      dynamodb: guard.endpoint,
      secretsmanager: secrets.endpoint,
      messages: messages.endpoint,
      call: createCaller(engine.endpoint, region),
      features: engine.features,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
