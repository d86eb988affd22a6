// Causes that make an update of an existing stage fail: log groups that the stack does not own, and indexes that changed.
import { type IndexSchema, TABLES, type TableName } from '../../core/contract/tables.ts';
import type { Stage } from '../../lib/config/config.ts';
import { TABLE_IDS } from '../../lib/constructs/data/tables.ts';
import type { Account, DeployedIndex, StackResource } from './account.ts';
import type { CheckResult } from './check-result.ts';

/** Indexes of a table without a higher quota (amazondynamodb/latest/developerguide/ServiceQuotas.html). */
const MAX_INDEXES = 20;

/** CloudFormation adds or removes one index of a table in an update (aws-resource-dynamodb-globaltable.html). */
const MAX_CHANGES = 1;

/**
 * The log groups with fixed names. CloudFormation makes no group of a name that exists, and a protected stage keeps its groups when its stack
 * or the setting is removed; API Gateway makes the execution log itself where no stack did before.
 */
export async function checkLogGroups(stage: Stage, stack: string, account: Account): Promise<CheckResult> {
  const resources = await account.listResources(stack);
  const own = idsOf(resources, 'AWS::Logs::LogGroup');
  const [restApi] = idsOf(resources, 'AWS::ApiGateway::RestApi');
  const names = [
    ...(hasFirewallLogs(stage) ? [`aws-waf-logs-${stack}`] : []),
    ...(restApi === undefined ? [] : [`API-Gateway-Execution-Logs_${restApi}/${stage.name}`]),
  ];
  const taken: string[] = [];
  for (const name of names) if (!own.includes(name) && (await account.hasLogGroup(name))) taken.push(name);
  if (taken.length === 0) return { severity: 'ok', text: 'No log group has a name that the stage needs.' };
  return {
    severity: 'error',
    text: `Log groups exist that the deployment would make, outside of ${stack}: ${taken.join(', ')}. CloudFormation fails on a name that exists.`,
    remedy: `Export lines that must be kept, then: ${taken.map((name) => `aws logs delete-log-group --log-group-name '${name}'`).join(' && ')}`,
  };
}

function hasFirewallLogs({ firewall }: Stage): boolean {
  return firewall !== undefined && 'logs' in firewall && firewall.logs === true;
}

/** Compares each existing table of the data stack with the schema. Tables that are not there yet are made whole. */
export async function checkIndexes(stack: string, account: Account): Promise<CheckResult> {
  const resources = await account.listResources(stack);
  const problems: string[] = [];
  for (const name of Object.keys(TABLES) as TableName[]) {
    const table = resources.find(({ logicalId }) => logicalId === TABLE_IDS[name]);
    if (table === undefined) continue;
    problems.push(...compareIndexes(table.id, TABLES[name].indexes, await account.readIndexes(table.id)));
  }
  if (problems.length === 0)
    return { severity: 'ok', text: 'The indexes of the tables can be deployed in one update.' };
  return {
    severity: 'error',
    text: `The indexes cannot be deployed in one update: ${problems.join('; ')}.`,
    remedy:
      'Upgrade from one release to the next (docs/operations.md#upgrade). Take out by hand what no release made: aws dynamodb update-table --table-name TABLE --global-secondary-index-updates \'[{"Delete":{"IndexName":"NAME"}}]\'',
  };
}

function compareIndexes(
  table: string,
  wanted: readonly IndexSchema[],
  existing: readonly DeployedIndex[],
): readonly string[] {
  const added = wanted.filter(({ name }) => existing.every((index) => index.name !== name));
  const surplus = existing.filter(({ name }) => wanted.every((index) => index.name !== name));
  const changed = wanted.filter((index) =>
    existing.some((found) => found.name === index.name && !isSame(index, found)),
  );
  const changes = [...added.map(({ name }) => `+${name}`), ...surplus.map(({ name }) => `-${name}`)];
  return [
    ...changed.map(
      ({ name }) => `${name} of ${table} has other keys or attributes, which no index can change`,
    ),
    ...(changes.length > MAX_CHANGES
      ? [
          `${table} needs ${changes.length} changes (${changes.join(', ')}), and takes ${MAX_CHANGES} in an update`,
        ]
      : []),
    ...(added.length > 0 && existing.length + added.length > MAX_INDEXES
      ? [`${table} would have ${existing.length + added.length} indexes on the way, of ${MAX_INDEXES}`]
      : []),
  ];
}

function isSame({ key, include }: IndexSchema, found: DeployedIndex): boolean {
  return (
    key.partition === found.partition &&
    key.sort === found.sort &&
    include.toSorted().join() === found.include.toSorted().join()
  );
}

function idsOf(resources: readonly StackResource[], type: string): readonly string[] {
  return resources.filter((resource) => resource.type === type).map(({ id }) => id);
}
