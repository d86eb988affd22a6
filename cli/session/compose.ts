// Opens the stores of a stack: the adapters of AWS, pointed at AWS or at the local run.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAdminStore } from '../../adapters/dynamodb/admin-store.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { systemRandom } from '../../adapters/platform/random.ts';
import { createSecretAdmin } from '../../adapters/secrets/admin.ts';
import { recordChanges } from '../logs/record-changes.ts';
import { readIdentity } from '../settings/inspect.ts';
import { clientSettings } from './aws-settings.ts';
import { composeJwtPorts } from './compose-jwt.ts';
import { composeKeyPorts } from './compose-keys.ts';
import { composeLogPorts } from './compose-logs.ts';
import type { Ports } from './ports.ts';
import type { Stack } from './stack.ts';

/** The ports of a stack. Nothing is sent before one of them is used. */
export function composePorts(stack: Stack): Ports {
  const { outputs } = stack;
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(clientSettings(stack, 'dynamodb')), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const secretsManager = new SecretsManagerClient(clientSettings(stack, 'secretsmanager'));
  return recordChanges({
    stack,
    store: createAdminStore(documents, outputs.configTable),
    secrets: createSecretAdmin(secretsManager, outputs.secretPrefix),
    ...composeKeyPorts(documents, outputs),
    ...composeJwtPorts(stack, secretsManager),
    ...composeLogPorts(documents, stack),
    clock: systemClock,
    random: systemRandom,
    author: () => readIdentity(stack),
  });
}
