// Breaks stored neurons by hand, as no command does: one without its version, one whose settings nothing can read.
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { configKeys } from '../../../adapters/dynamodb/config-items.ts';
import { type AccessStack, readNeuron } from './access-stack.ts';
import { outputOf } from './tables.ts';

/** `acme/gone` and `acme/spoiled`. */
export async function breakNeurons(access: AccessStack): Promise<void> {
  const gone = await readNeuron(access.store, 'acme', 'gone');
  await access.client.send(
    new DeleteCommand({
      TableName: outputOf(access.dataFolder, 'ConfigTable'),
      Key: configKeys.version('acme', gone.neuron.id, 'v1'),
    }),
  );
  await access.client.send(
    new UpdateCommand({
      TableName: outputOf(access.dataFolder, 'ConfigTable'),
      Key: configKeys.neuron('acme', 'spoiled'),
      UpdateExpression: 'SET document.access = :access',
      ExpressionAttributeValues: { ':access': 'no access' },
    }),
  );
}
