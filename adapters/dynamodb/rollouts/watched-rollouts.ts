// The rollout in the item of a neuron: read beside what names the neuron, and written beside the number of writes alone.
import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { WATCHED_ATTRIBUTES } from '../../../core/contract/tables.ts';
import type { WatchedRollouts } from '../../../core/ports/rollout-watch.ts';
import { unlessRejected } from '../conditional-write.ts';
import { configKeys, readNeuron } from '../config-items.ts';

const NAMES = Object.fromEntries(WATCHED_ATTRIBUTES.map((name, index) => [`#${index}`, name]));

/** Its role may name no other attribute: it reads no settings, and changes nothing but the rollout. */
export function createWatchedRollouts(client: DynamoDBDocumentClient, table: string): WatchedRollouts {
  return {
    async read(organization, slug) {
      const { pk, sk } = configKeys.neuron(organization, slug);
      const { Items: [item] = [] } = await client.send(
        // No GetItem: its role may not leave out what it reads (`dynamodb:Select`).
        new QueryCommand({
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND sk = :sk',
          ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
          Select: 'SPECIFIC_ATTRIBUTES',
          ProjectionExpression: Object.keys(NAMES).join(', '),
          ExpressionAttributeNames: NAMES,
        }),
      );
      if (item === undefined) return undefined;
      const { id, organizationId, deployment, rollout, write } = readNeuron(item);
      if (rollout === undefined) return undefined;
      return {
        organization,
        organizationId,
        slug,
        id,
        control: deployment?.version ?? 'none',
        rollout,
        write,
      };
    },
    async write(neuron, rollout) {
      const write = neuron.write + 1;
      const isWritten = await unlessRejected(
        client.send(
          new UpdateCommand({
            TableName: table,
            Key: configKeys.neuron(neuron.organization, neuron.slug),
            UpdateExpression: 'SET rollout = :rollout, #write = :write',
            // Every other writer of the neuron counts its writes up.
            ConditionExpression: '#write = :expected AND rollout.id = :id',
            ExpressionAttributeNames: { '#write': 'write' },
            ExpressionAttributeValues: {
              ':rollout': rollout,
              ':write': write,
              ':expected': neuron.write,
              ':id': rollout.id,
            },
          }),
        ),
      );
      return isWritten ? { ...neuron, rollout, write } : undefined;
    },
  };
}
