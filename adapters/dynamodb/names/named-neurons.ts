// Writes and deletes a neuron together with the names of its `models`: all or nothing, so that no two neurons of an organization have one name.
import { type AttributeValue, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { isSlug } from '../../../core/contract/slugs.ts';
import { NameConflict, type NeuronRecord, WriteConflict } from '../../../core/ports/administration.ts';
import { storedNamesOf } from '../../../core/settings/names/model-names.ts';
import type { Item } from '../client.ts';
import { unlessRejected } from '../conditional-write.ts';
import { configKeys, modelNameItem } from '../config-items.ts';

export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Item;
}

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One action of the transaction, and the name that it takes; the neuron's own item takes none. */
interface NamedAction {
  readonly name?: string;
  readonly action: Action;
}

interface NeuronWrite {
  readonly put: Condition & { readonly Item: Item };
  readonly neuron: NeuronRecord;
  /** The stored item; the condition of the write says whether it still is. */
  readonly before: Item | undefined;
}

/** Throws `WriteConflict`, and `NameConflict` with the other neuron. At most 63 actions, of the 100 that a transaction has. */
export async function writeNamedNeuron(
  client: DynamoDBDocumentClient,
  table: string,
  organization: string,
  { put, neuron, before }: NeuronWrite,
): Promise<void> {
  const names = storedNamesOf(neuron.document);
  const earlier = before === undefined ? [] : storedNamesOf(before['document']);
  const released = earlier.filter((name) => !names.includes(name));
  const own = { action: { Put: { TableName: table, ...put } } };
  const isPlain = before !== undefined && names.length === 0 && released.length === 0;
  if (isPlain) return putAlone(client, organization, neuron, own.action.Put);
  await transact(client, organization, neuron, [
    own,
    // A slug is a name too. Another neuron's slug cannot be taken, nor the slug of a new one be another's name.
    ...(before === undefined && !names.includes(neuron.slug)
      ? [
          {
            name: neuron.slug,
            action: { ConditionCheck: freeName(table, organization, neuron, neuron.slug) },
          },
        ]
      : []),
    ...names
      .filter((name) => isSlug(name) && name !== neuron.slug)
      .map((name) => ({ name, action: { ConditionCheck: freeSlug(table, organization, neuron, name) } })),
    ...names.map((name) => ({ name, action: { Put: toOwnName(table, organization, neuron, name) } })),
    ...released.map((name) => ({ action: { Delete: freeName(table, organization, neuron, name) } })),
  ]);
}

async function putAlone(
  client: DynamoDBDocumentClient,
  organization: string,
  { slug }: NeuronRecord,
  put: PutCommandInput,
): Promise<void> {
  if (!(await unlessRejected(client.send(new PutCommand(put)))))
    throw new WriteConflict(`neuron ${organization}/${slug}`);
}

/** Throws `WriteConflict`. */
export async function deleteNamedNeuron(
  client: DynamoDBDocumentClient,
  table: string,
  organization: string,
  { neuron, condition }: { readonly neuron: NeuronRecord; readonly condition: Condition },
): Promise<void> {
  const Key = configKeys.neuron(organization, neuron.slug);
  await transact(client, organization, neuron, [
    { action: { Delete: { TableName: table, Key, ...condition } } },
    ...storedNamesOf(neuron.document).map((name) => ({
      action: { Delete: freeName(table, organization, neuron, name) },
    })),
  ]);
}

/** A name that this neuron may have or release: free, its own, or left behind by an earlier organization of the same slug. */
function freeName(table: string, organization: string, { id, organizationId }: NeuronRecord, name: string) {
  return {
    TableName: table,
    Key: configKeys.modelName(organization, name),
    ConditionExpression: 'attribute_not_exists(pk) OR neuronId = :neuron OR organizationId <> :organization',
    ExpressionAttributeValues: { ':neuron': id, ':organization': organizationId },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

function toOwnName(table: string, organization: string, neuron: NeuronRecord, name: string) {
  const { Key: _inItem, ...condition } = freeName(table, organization, neuron, name);
  const { id: neuronId, organizationId, slug } = neuron;
  return {
    Item: modelNameItem(organization, { name, neuron: slug, neuronId, organizationId }),
    ...condition,
  };
}

function freeSlug(table: string, organization: string, { organizationId }: NeuronRecord, slug: string) {
  return {
    TableName: table,
    Key: configKeys.neuron(organization, slug),
    ConditionExpression: 'attribute_not_exists(pk) OR organizationId <> :organization',
    ExpressionAttributeValues: { ':organization': organizationId },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

async function transact(
  client: DynamoDBDocumentClient,
  organization: string,
  { slug }: NeuronRecord,
  actions: readonly NamedAction[],
): Promise<void> {
  try {
    await client.send(new TransactWriteCommand({ TransactItems: actions.map(({ action }) => action) }));
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    // The neuron's own item first: a name of another state of it says nothing.
    const failed = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
    const another = reasons.some(({ Code }) => Code === 'TransactionConflict');
    if (failed === -1 && !another) throw error;
    const name = actions[failed]?.name;
    if (name === undefined) throw new WriteConflict(`neuron ${organization}/${slug}`);
    throw new NameConflict(name, `${organization}/${ownerOf(reasons[failed]?.Item)}`);
  }
}

/** The slug of the neuron that has the name, by its own item or by the name's. The document client leaves items of errors as they came. */
function ownerOf(item: Readonly<Record<string, AttributeValue>> | undefined): string {
  return item?.['neuron']?.S ?? item?.['slug']?.S ?? 'another neuron';
}
