// The preflight: each problem that would make a first deployment fail, and what it tells the reader to do.
import { describe, expect, it } from 'vitest';
import type { Account, StackState } from '../../bin/preflight/account.ts';
import { checkAccount } from '../../bin/preflight/checks.ts';
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
}

/** An account that is ready, but for what a test says. */
function accountOf(facts: Facts): Account {
  const { stacks = {}, quota = 1000, domains = [], secrets = [] } = facts;
  const bootstrap = 'bootstrap' in facts ? facts.bootstrap : 28;
  return {
    readStack: async (name) => stacks[name],
    readConcurrency: async () => ({ quota, unreserved: facts.unreserved ?? quota }),
    readBootstrapVersion: async () => bootstrap,
    readLogRole: async () => facts.logRole,
    hasDomain: async (name) => domains.includes(name),
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
    expect(await problems({ stacks: existing, quota: 915, unreserved: 100, logRole: 'r' })).toEqual([]);
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
      /^error: Lambda's quota is 10 .* the stage reserves 815, and 100 must stay unreserved\..*--desired-value 915$/,
    );
    expect(await problems({ quota: 915 })).toEqual([]);
    const traced = { ...prod, traces: { endpoint: 'https://otlp.example.com/v1/traces' } };
    expect((await problems({ quota: 915 }, traced))[0]).toContain('the stage reserves 820');
    expect((await problems({ quota: 914 }))[0]).toMatch(/^error: .*--desired-value 915$/);
    // Other functions hold 500 of it.
    expect((await problems({ quota: 1000, unreserved: 500 }))[0]).toMatch(/^error: .*--desired-value 1415$/);
    expect((await problems({ stacks: existing, quota: 600, unreserved: 90 }))[0]).toMatch(/^error: .*915$/);
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
    expect(found.map(({ severity }) => severity)).toEqual(['ok', 'ok', 'unknown', 'ok', 'ok', 'ok', 'ok']);
    expect(found[2]?.text).toBe(
      "Not checked: Lambda's concurrency quota (AccessDeniedException: not allowed).",
    );
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
      expect(found.at(-1)).toMatch(/^error: Lambda's quota is 1000 .*--desired-value 1415$/);
    },
  );
});
