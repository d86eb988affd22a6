// The preflight: each problem that would make a first deployment fail, and what it tells the reader to do.
import { describe, expect, it } from 'vitest';
import type {
  Account,
  DeployedIndex,
  StackResource,
  StackState,
  Throttle,
} from '../../bin/preflight/account.ts';
import { checkAccount } from '../../bin/preflight/checks.ts';
import { TABLES } from '../../core/contract/tables.ts';
import { parseStage, type StageSettings } from '../../lib/config/config.ts';
import { dev } from '../../lib/stages/dev.ts';
import { prod } from '../../lib/stages/prod.ts';

interface Facts {
  readonly stacks?: Readonly<Record<string, StackState>>;
  readonly quota?: number;
  readonly unreserved?: number;
  readonly bootstrap?: number | undefined;
  readonly logRole?: string | undefined;
  readonly domains?: readonly string[];
  readonly secrets?: readonly string[];
  readonly throttle?: Throttle;
  readonly resources?: Readonly<Record<string, readonly StackResource[]>>;
  readonly logGroups?: readonly string[];
  readonly indexes?: Readonly<Record<string, readonly DeployedIndex[]>>;
}

/** An account that is ready, but for what a test says. */
function accountOf(facts: Facts): Account {
  const { stacks = {}, quota = 1000, domains = [], secrets = [] } = facts;
  const {
    throttle = { requestsPerSecond: 10_000, burst: 5000 },
    resources = {},
    logGroups = [],
    indexes = {},
  } = facts;
  const bootstrap = 'bootstrap' in facts ? facts.bootstrap : 28;
  return {
    readStack: async (name) => stacks[name],
    readConcurrency: async () => ({ quota, unreserved: facts.unreserved ?? quota }),
    readBootstrapVersion: async () => bootstrap,
    readLogRole: async () => facts.logRole,
    hasDomain: async (name) => domains.includes(name),
    readThrottle: async () => throttle,
    listResources: async (name) => resources[name] ?? [],
    hasLogGroup: async (name) => logGroups.includes(name),
    readIndexes: async (table) => indexes[table] ?? [],
    hasSecrets: async (prefix) => secrets.some((name) => name.startsWith(prefix)),
  };
}

/** What is not ok: severity, text and remedy of each, in a line. */
async function problems(facts: Facts, settings: StageSettings = prod): Promise<string[]> {
  const found = await checkAccount(parseStage(settings), accountOf(facts));
  return found
    .filter(({ severity }) => severity !== 'ok')
    .map(({ severity, text, remedy }) => `${severity}: ${text} → ${remedy}`);
}

const stack = (status: string, terminationProtection = false): StackState => ({
  status,
  terminationProtection,
});
const existing = { 'NeuronData-prod': stack('CREATE_COMPLETE'), 'NeuronApi-prod': stack('UPDATE_COMPLETE') };
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d-0000-4000-8000-000000000000';
const withDomain = { ...prod, domain: { name: 'n.example.com', certificateArn } };

describe('the preflight', () => {
  it('finds nothing in an account that is ready, before the first deployment and later', async () => {
    expect(await problems({})).toEqual([]);
    expect(await problems({ stacks: existing, quota: 916, unreserved: 100, logRole: 'r' })).toEqual([]);
    expect(await problems({}, withDomain)).toEqual([]);
    expect(
      await problems(
        { stacks: existing, domains: ['n.example.com'], secrets: ['neuron/prod/x/jwt'] },
        withDomain,
      ),
    ).toEqual([]);
  });

  it.each(['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED', 'DELETE_FAILED'])(
    'shows the way out of %s, and of termination protection where it is on',
    async (status) => {
      expect(await problems({ stacks: { ...existing, 'NeuronApi-prod': stack(status, true) } })).toEqual([
        `error: NeuronApi-prod is in the state ${status}: it can only be deleted. → aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name NeuronApi-prod && aws cloudformation delete-stack --stack-name NeuronApi-prod`,
      ]);
      const [unprotected] = await problems({ stacks: { ...existing, 'NeuronApi-prod': stack(status) } });
      expect(unprotected).toContain('→ aws cloudformation delete-stack --stack-name NeuronApi-prod');
    },
  );

  it('tells a failed rollback of an update and a running operation apart, and ignores a change set that never ran', async () => {
    const api = (status: string) => problems({ stacks: { ...existing, 'NeuronApi-prod': stack(status) } });
    expect((await api('UPDATE_ROLLBACK_FAILED'))[0]).toContain('continue-update-rollback');
    expect((await api('UPDATE_IN_PROGRESS'))[0]).toContain('Wait until it ends.');
    expect(await api('REVIEW_IN_PROGRESS')).toEqual([]);
    expect(await api('UPDATE_ROLLBACK_COMPLETE')).toEqual([]);
  });

  it('compares the quota with what the stage reserves, and names the quota to ask for', async () => {
    expect((await problems({ quota: 10 }))[0]).toMatch(
      /^error: Lambda's quota is 10 .* the stage reserves 816, and 100 must stay unreserved\..*--desired-value 916$/,
    );
    expect(await problems({ quota: 916 })).toEqual([]);
    const traced = { ...prod, traces: { endpoint: 'https://otlp.example.com/v1/traces' } };
    expect((await problems({ quota: 916 }, traced))[0]).toContain('the stage reserves 821');
    expect((await problems({ quota: 914 }))[0]).toMatch(/^error: .*--desired-value 916$/);
    // Other functions hold 500 of it.
    expect((await problems({ quota: 1000, unreserved: 500 }))[0]).toMatch(/^error: .*--desired-value 1416$/);
    expect((await problems({ stacks: existing, quota: 600, unreserved: 90 }))[0]).toMatch(/^error: .*916$/);
  });

  it('warns of a new account where a stage reserves nothing, and counts provisioned concurrency', async () => {
    expect((await problems({ quota: 10 }, dev))[0]).toMatch(/^warning: .*--desired-value 1000$/);
    expect(await problems({ quota: 100 }, dev)).toEqual([]);
    const provisioned = { ...dev, provisionedConcurrency: { authorizer: 1, execution: 2 } };
    expect((await problems({ quota: 102 }, provisioned))[0]).toMatch(/^error: .* reserves 3,/);
    expect(await problems({ quota: 103 }, provisioned)).toEqual([]);
  });

  it('asks for the CDK bootstrap, or for a later one', async () => {
    const missing = await problems({ bootstrap: undefined });
    expect(missing).toEqual(['error: The region has no CDK bootstrap. → npx cdk bootstrap']);
    expect((await problems({ bootstrap: 5 }))[0]).toContain('has version 5; the templates need 6');
    expect(await problems({ bootstrap: 6 })).toEqual([]);
  });

  it('asks for a role for the logs of API Gateway, and warns before it replaces one', async () => {
    const without = { ...prod, accountLogRole: false };
    expect((await problems({}, without))[0]).toContain('Set accountLogRole: true');
    expect(await problems({ logRole: 'arn:aws:iam::1:role/logs' }, without)).toEqual([]);
    expect((await problems({ logRole: 'arn:aws:iam::1:role/logs' }))[0]).toMatch(
      /^warning: .*role\/logs.*accountLogRole: false/,
    );
  });

  it('finds secrets of another service of the stage, and a domain that is taken', async () => {
    expect((await problems({ secrets: ['neuron/prod/0123/jwt'] }))[0]).toContain('below neuron/prod/');
    expect(await problems({ secrets: ['neuron/production/0123/jwt'] })).toEqual([]);
    expect((await problems({ domains: ['n.example.com'] }, withDomain))[0]).toMatch(/^error: .*n\.example/);
  });

  it('goes on where something cannot be read, and says so', async () => {
    const reject = async () => {
      throw Object.assign(new Error('not allowed'), { name: 'AccessDeniedException' });
    };
    const found = await checkAccount(parseStage(prod), { ...accountOf({}), readConcurrency: reject });
    expect(found.map(({ severity }) => severity)).toEqual([
      'ok',
      'ok',
      'unknown',
      'ok',
      'ok',
      'ok',
      'ok',
      'unknown',
      'ok',
      'ok',
      'ok',
    ]);
    expect(found[2]?.text).toBe(
      "Not checked: Lambda's concurrency quota (AccessDeniedException: not allowed).",
    );
  });

  it('warns of memory that a new account may not have, and of none where the quota is that of an older one', async () => {
    const large = { ...dev, memoryMegabytes: 3009 };
    const [concurrency, memory] = await problems({ quota: 10 }, large);
    expect(concurrency).toContain('concurrent executions');
    expect(memory).toBe(
      "warning: Each function of the stage has 3009 MB of memory. The concurrency quota of 10 is a new account's, where Lambda may refuse more than 3008 MB; no API tells its memory quota. → Set memoryMegabytes to at most 3008 in the file of the stage, or ask AWS Support for the full memory quota of Lambda first.",
    );
    expect(await problems({ quota: 999 }, large)).toHaveLength(1);
    expect(await problems({ quota: 1000 }, large)).toEqual([]);
    expect(await problems({ quota: 999 }, { ...dev, memoryMegabytes: 3008 })).toEqual([]);
  });

  it("compares the stage's throttle with the account's, by rate and burst", async () => {
    const stage = { ...dev, throttle: { requestsPerSecond: 300, burst: 200 } };
    expect(await problems({ throttle: { requestsPerSecond: 300, burst: 200 } }, stage)).toEqual([]);
    expect(await problems({ throttle: { requestsPerSecond: 299, burst: 200 } }, stage)).toEqual([
      "warning: API Gateway's throttle of the account is 299 requests a second with a burst of 200, for all APIs of the region. The stage's throttle is 300 with a burst of 200: callers get 429 before that. → Ask for more: aws service-quotas request-service-quota-increase --service-code apigateway --quota-code L-8A5B8E43 --desired-value 300. Or lower throttle in the file of the stage.",
    ]);
    expect((await problems({ throttle: { requestsPerSecond: 300, burst: 199 } }, stage))[0]).toContain(
      'Set throttle.burst to at most 199',
    );
    // 200 calls a second are the peak of production.
    const [peaked] = await problems({ throttle: { requestsPerSecond: 199, burst: 5000 } });
    expect(peaked).toMatch(/throttle, which its peak gives, is 200 .*Or lower peak in the file/);
  });

  it('finds the log groups of a removed stack or setting that the deployment would make again', async () => {
    const logged = { ...prod, firewall: { requestsPerAddress: 600, logs: true } };
    const name = 'aws-waf-logs-NeuronApi-prod';
    expect(await problems({ logGroups: [name] }, logged)).toEqual([
      `error: Log groups exist that the deployment would make, outside of NeuronApi-prod: ${name}. CloudFormation fails on a name that exists. → Export lines that must be kept, then: aws logs delete-log-group --log-group-name '${name}'`,
    ]);
    expect(await problems({ logGroups: [name] })).toEqual([]);
    const own = { 'NeuronApi-prod': [{ logicalId: 'Logs', type: 'AWS::Logs::LogGroup', id: name }] };
    expect(await problems({ stacks: existing, resources: own, logGroups: [name] }, logged)).toEqual([]);
  });

  it('finds the execution log that API Gateway made itself, by the API of the stack', async () => {
    const resources = {
      'NeuronApi-prod': [{ logicalId: 'RestApi', type: 'AWS::ApiGateway::RestApi', id: 'abc' }],
    };
    const of = (logGroup: string) => problems({ stacks: existing, resources, logGroups: [logGroup] });
    expect((await of('API-Gateway-Execution-Logs_abc/prod'))[0]).toContain('_abc/prod');
    expect(await of('API-Gateway-Execution-Logs_other/prod')).toEqual([]);
  });

  it('compares the indexes of existing tables with those that the stage needs', async () => {
    const resources = {
      'NeuronData-prod': [{ logicalId: 'KeysTable', type: 'AWS::DynamoDB::GlobalTable', id: 'keys-1' }],
    };
    const [index] = TABLES.keys.indexes;
    const deployed = {
      name: index.name,
      ...{ partition: index.key.partition, sort: index.key.sort, include: [...index.include].reverse() },
    };
    const of = (...indexes: readonly DeployedIndex[]) =>
      problems({ stacks: existing, resources, indexes: { 'keys-1': indexes } });
    expect(await of(deployed)).toEqual([]);
    // One new index is one change, and so is one that goes.
    expect(await of()).toEqual([]);
    expect(await of(deployed, { ...deployed, name: 'old' })).toEqual([]);
    expect((await of({ ...deployed, name: 'old' }))[0]).toContain(
      'keys-1 needs 2 changes (+byOrganization1, -old), and takes 1 in an update',
    );
    for (const other of [{ sort: undefined }, { partition: 'pk' }, { include: ['name'] }])
      expect((await of({ ...deployed, ...other }))[0]).toContain(
        'byOrganization1 of keys-1 has other keys or attributes, which no index can change',
      );
    const many = Array.from({ length: 20 }, (_, number) => ({ ...deployed, name: `own${number}` }));
    expect((await of(...many))[0]).toContain('keys-1 would have 21 indexes on the way, of 20');
  });

  it.each([
    [
      'CredentialsProviderError',
      'Could not load credentials from any providers',
      'No AWS credentials were found.',
    ],
    ['UnrecognizedClientException', 'The security token is invalid', 'AWS rejected these credentials.'],
    ['Error', 'Region is missing', 'No AWS region is set.'],
  ])('says once what no check could do without: %s', async (name, message, what) => {
    const fail = async () => {
      throw Object.assign(new Error(message), { name });
    };
    const found = await checkAccount(parseStage(prod), { ...accountOf({}), readStack: fail });
    expect(found).toHaveLength(1);
    expect(found[0]?.severity).toBe('unknown');
    expect(found[0]?.text).toContain(what);
    expect(found[0]?.remedy).toMatch(/--profile.*--region/);
  });

  it('says once that AWS cannot be reached, also where fetch hides the reason', async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const fail = async () => {
      throw new TypeError('fetch failed', { cause });
    };
    const found = await checkAccount(parseStage(prod), { ...accountOf({}), readConcurrency: fail });
    expect(found.at(-1)?.text).toBe(
      'The account cannot be read: AWS could not be reached. (getaddrinfo ENOTFOUND)',
    );
  });

  it.each(['ROLLBACK_COMPLETE', 'REVIEW_IN_PROGRESS', undefined])(
    'counts an API stack in the state %s as a first deployment, beside a data stack that exists',
    async (status) => {
      const stacks = {
        'NeuronData-prod': stack('CREATE_COMPLETE'),
        ...(status === undefined ? {} : { 'NeuronApi-prod': stack(status) }),
      };
      const found = await problems({ stacks, quota: 1000, unreserved: 500 });
      expect(found.at(-1)).toMatch(/^error: Lambda's quota is 1000 .*--desired-value 1416$/);
    },
  );
});
