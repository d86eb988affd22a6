// What an update from one template to another would lose, or what would make AWS refuse it.
import { REGION } from './optional-settings.ts';
import { replacedBy } from './resource-types.ts';
import type { Resource, Template } from './synthesized.ts';

/** Resources that hold data, are an address, or are named in policies of others (buckets, keys): none may vanish. */
const LASTING = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::Logs::LogGroup',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::ApiGateway::DomainName',
  'AWS::IAM::Role',
  'AWS::SNS::Topic',
];

/** Made anew with a change on purpose; CloudFormation removes the old one when its successor is in use. */
const REPLACEABLE = ['AWS::ApiGateway::Deployment', 'AWS::Lambda::Permission', 'AWS::Lambda::Version'];

/** One line for each loss or refusal. */
export function losses(before: Template, after: Template): string[] {
  const resources = Object.entries(before.Resources).flatMap(([id, old]) => {
    const now: Resource | undefined = after.Resources[id];
    if (now === undefined) return isLasting(old) ? [`${id} is removed`] : [];
    if (now.Type !== old.Type) return [`${id} becomes another type`];
    return [...replacements(id, old, now), ...rejections(id, old, now)];
  });
  return [...resources, ...changedOutputs(before, after)];
}

/** The account's role for API Gateway's logs is kept where a stage gives it up. */
function isLasting({ Type, DeletionPolicy }: Resource): boolean {
  return LASTING.includes(Type) && !(Type === 'AWS::IAM::Role' && DeletionPolicy === 'Retain');
}

function replacements(id: string, { Type, Properties = {} }: Resource, now: Resource): string[] {
  if (REPLACEABLE.includes(Type)) return [];
  return replacedBy(Type)
    .filter((name) => !isEqual(Properties[name], now.Properties?.[name]))
    .map((name) => `${id} is replaced: ${name} changed`);
}

/** The API stack imports the tables by their exports, which CloudFormation neither changes nor removes meanwhile; the command reads outputs. */
function changedOutputs(before: Template, after: Template): string[] {
  return Object.entries(before.Outputs).flatMap(([id, old]) => {
    const now = after.Outputs[id];
    if (now === undefined) return [`the output ${id} is removed`];
    return 'Export' in old && !isEqual(old, now) ? [`the export ${id} changes while it is in use`] : [];
  });
}

/** An index as the template has it. */
interface Index {
  readonly IndexName: string;
  readonly WarmThroughput?: WarmThroughput;
  readonly [property: string]: unknown;
}

interface WarmThroughput {
  readonly ReadUnitsPerSecond?: number;
  readonly WriteUnitsPerSecond?: number;
}

/** What DynamoDB refuses to change in a table that exists (API_UpdateTable, API_UpdateTimeToLive). */
function rejections(id: string, old: Resource, now: Resource): string[] {
  if (old.Type !== 'AWS::DynamoDB::GlobalTable') return [];
  const [before, after] = [old.Properties, now.Properties];
  const indexes = [before, after].map((table) => (table['GlobalSecondaryIndexes'] ?? []) as Index[]);
  return [
    ...changedIndexes(id, indexes[0]!, indexes[1]!),
    ...['VectorIndexes', 'StreamSpecification', 'TimeToLiveSpecification']
      .filter((name) => before[name] !== undefined && !isEqual(before[name], after[name]))
      .map((name) => `${id} is refused: ${name} changed`),
    ...changedTypes(id, before['AttributeDefinitions'], after['AttributeDefinitions']),
    ...cooled(id, before['WarmThroughput'], after['WarmThroughput']),
  ];
}

function changedIndexes(id: string, before: readonly Index[], after: readonly Index[]): string[] {
  const now = new Map(after.map((index) => [index.IndexName, index]));
  const changed = before.flatMap((index) => {
    const { IndexName } = index;
    const next = now.get(IndexName);
    if (next === undefined) return [];
    return [
      ...['KeySchema', 'Projection']
        .filter((name) => !isEqual(index[name], next[name]))
        .map((name) => `${id} is refused: ${name} of ${IndexName} changed`),
      ...cooled(`${id}/${IndexName}`, index.WarmThroughput, next.WarmThroughput),
    ];
  });
  const names = new Set(before.map(({ IndexName }) => IndexName));
  const moved = [
    ...after.filter(({ IndexName }) => !names.has(IndexName)),
    ...before.filter(({ IndexName }) => !now.has(IndexName)),
  ].map(({ IndexName }) => IndexName);
  // "You can only create or delete one global secondary index in a single stack operation" (aws-resource-dynamodb-globaltable.html).
  const tooMany = moved.length > 1 ? [`${id} is refused: more than one index changed: ${moved.join()}`] : [];
  return [...changed, ...tooMany];
}

/** Types of key attributes are part of a key. */
function changedTypes(id: string, before: unknown, after: unknown): string[] {
  const read = (list: unknown) =>
    new Map(
      ((list ?? []) as { AttributeName: string; AttributeType: string }[]).map((one) => [
        one.AttributeName,
        one.AttributeType,
      ]),
    );
  const types = read(after);
  return [...read(before)].flatMap(([name, type]) =>
    types.has(name) && types.get(name) !== type ? [`${id} is refused: the type of ${name} changed`] : [],
  );
}

/** Warm throughput can be raised alone (amazondynamodb/latest/developerguide/update-warm-throughput.html). */
function cooled(id: string, before: unknown, after: unknown): string[] {
  const [was, is] = [before ?? {}, after ?? {}] as [WarmThroughput, WarmThroughput];
  return (['ReadUnitsPerSecond', 'WriteUnitsPerSecond'] as const)
    .filter((name) => is[name] !== undefined && is[name] < (was[name] ?? 0))
    .map((name) => `${id} is refused: ${name} lowered`);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(resolve(one)) === JSON.stringify(resolve(other));
}

const PSEUDO: Readonly<Record<string, string>> = { 'AWS::Region': REGION, 'AWS::Partition': 'aws' };

/** A stage that names its region has it in place of the pseudo parameter, which is the same where it is deployed there. */
function resolve(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== 'object' || value === null) return value;
  const { Ref, 'Fn::Join': join } = value as {
    readonly Ref?: string;
    readonly 'Fn::Join'?: [string, unknown[]];
  };
  if (Ref !== undefined) return PSEUDO[Ref] ?? value;
  if (join !== undefined) {
    const [separator, parts] = join;
    return parts
      .map(resolve)
      .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
      .join(separator);
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
}
