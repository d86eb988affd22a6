// Rights of people who change a part of a service: authors of settings and versions, and managers of API keys.
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { TEXTLESS_ATTRIBUTES } from '../../../core/contract/log-attributes.ts';
import { SLUG_PATTERN } from '../../../core/contract/slugs.ts';
import { CHANGES_PARTITION, ENTRY_PARTITIONS } from '../../../core/contract/tables.ts';
import { arnsOf, type Tables } from './tables.ts';

export interface OrganizationScope {
  /** Slugs of organizations. @default every organization */
  readonly organizations?: readonly string[] | undefined;
}

/**
 * Grants settings and versions, read and write in the partitions of the organizations, `ORG#slug`, and to record their changes.
 * Keys, secrets, calls, usage and maintenance are out of reach.
 */
export function grantAuthor(tables: Tables, grantee: IGrantable, scope: OrganizationScope = {}): Grant {
  const { config, logs } = tables.byName;
  const slugs = slugsOf(scope);
  const settings = onPartitions(
    grantee,
    config.tableArn,
    ['GetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    slugs.map((slug) => `ORG#${slug}`),
  );
  // `neuron explain` says whether the service is in maintenance.
  const maintenance = onPartitions(grantee, config.tableArn, ['GetItem'], ['SERVICE']);
  const changes = onPartitions(grantee, logs.tableArn, ['PutItem'], changesOf(slugs));
  const granted = settings.combine(maintenance).combine(changes);
  // A scan shows every organization, and IAM cannot narrow it.
  return scope.organizations === undefined
    ? granted.combine(config.grant(grantee, 'dynamodb:Scan'))
    : granted;
}

/**
 * Grants API keys: create, list, limit and revoke those of every organization, and to record these changes. An item of a key is found by the
 * digest of the key, which names no organization, so IAM cannot narrow this right to some of them.
 */
export function grantKeys(tables: Tables, grantee: IGrantable): Grant {
  const { config, keys, counters, logs } = tables.byName;
  return [
    onPartitions(grantee, config.tableArn, ['GetItem', 'Query'], ['ORG#*']),
    Grant.addToPrincipal({
      grantee,
      actions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'].map(
        (name) => `dynamodb:${name}`,
      ),
      resourceArns: arnsOf(keys, 'keys'),
    }),
    onPartitions(grantee, counters.tableArn, ['BatchGetItem', 'GetItem'], ['LASTUSED#*']),
    onPartitions(grantee, logs.tableArn, ['PutItem'], changesOf(['*'])),
  ].reduce((all, one) => all.combine(one));
}

/**
 * Grants entries of calls without texts, and usage. The indexes have no texts. Of the table each query must name its attributes, none of which has
 * one; GetItem has no `Select` that IAM could demand, so it is not granted. Changes are out of reach: they hold prompts.
 */
export function grantView(tables: Tables, grantee: IGrantable): Grant {
  const { config, logs, usage } = tables.byName;
  const grant = (arns: readonly string[], names: readonly string[], conditions = {}) =>
    Grant.addToPrincipal({
      grantee,
      actions: names.map((name) => `dynamodb:${name}`),
      resourceArns: [...arns],
      conditions,
    });
  return [
    onPartitions(grantee, config.tableArn, ['GetItem', 'Query'], ['ORG#*', 'SERVICE']),
    grant([usage.tableArn], ['BatchGetItem', 'GetItem', 'Query']),
    grant(
      arnsOf(logs, 'logs').filter((arn) => arn !== logs.tableArn),
      ['Query'],
    ),
    grant([logs.tableArn], ['Query'], {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [ENTRY_PARTITIONS] },
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...TEXTLESS_ATTRIBUTES] },
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
    }),
  ].reduce((all, one) => all.combine(one));
}

/** Throws on what is no slug: with `*` or `?` in it, a pattern would reach the organizations of others. */
function slugsOf({ organizations }: OrganizationScope): readonly string[] {
  if (organizations === undefined) return ['*'];
  const wrong = organizations.find((slug) => !SLUG_PATTERN.test(slug));
  if (wrong === undefined && organizations.length > 0) return organizations;
  const what = wrong === undefined ? 'names no organization' : `has "${wrong}", which is no slug`;
  throw new Error(
    `organizations ${what}. Pass slugs such as ['acme'], or leave it out for all organizations.`,
  );
}

function changesOf(slugs: readonly string[]): string[] {
  return slugs.map((slug) => `${CHANGES_PARTITION}#${slug}`);
}

/** Each of these actions has a leading key (amazondynamodb/latest/developerguide/specifying-conditions.html); no scan may be among them. */
function onPartitions(
  grantee: IGrantable,
  table: string,
  names: readonly string[],
  partitions: readonly string[],
): Grant {
  return Grant.addToPrincipal({
    grantee,
    actions: names.map((name) => `dynamodb:${name}`),
    resourceArns: [table],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
      // Without it, a request without leading keys would pass.
      Null: { 'dynamodb:LeadingKeys': 'false' },
    },
  });
}
