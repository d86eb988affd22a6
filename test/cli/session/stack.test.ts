// Which stack a command works on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLocalStack } from '../../../cli/session/find-stack.ts';
import { chooseStack } from '../../../cli/session/stack.ts';
import { keptTemplate } from '../../lib/kept-templates.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const outputs = {
  ApiUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com/dev/',
  ConfigTable: 'config',
  KeysTable: 'keys',
  CountersTable: 'counters',
  CacheTable: 'cache',
  LogsTable: 'logs',
  UsageTable: 'usage',
  LogShards: '1',
  SecretPrefix: 'neuron/dev',
  StageName: 'dev',
  TransferMode: 'STREAM',
  MaxDeadlineMs: '60000',
  SettingsTtlMs: '15000',
  SecretsTtlMs: '300000',
  BedrockModels: '[]',
  ProviderHosts: 'null',
  AuthorizerLogGroup: '/a',
  ExecuteLogGroup: '/e',
  CounterShards: '1',
  OrganizationConcurrency: '0',
};
const dev = { name: 'NeuronApi-dev', outputs };
const prod = { name: 'NeuronApi-prod', outputs: { ...outputs, StageName: 'prod' } };
const foreign = { name: 'Billing', outputs: {} };

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return expect.unreachable('it should have thrown');
}

describe('the stack of a command', () => {
  it('is the only one named NeuronApi-…, or the one that --stack names', () => {
    expect(chooseStack([foreign, dev], undefined, 'eu-west-1').name).toBe('NeuronApi-dev');
    expect(chooseStack([dev, prod], 'NeuronApi-prod', 'eu-west-1').outputs.stageName).toBe('prod');
  });

  it('refuses to choose among several, and names them', () => {
    expect(thrownBy(() => chooseStack([dev, prod], undefined, 'eu-west-1'))).toMatchObject({
      detail: {
        what: 'There are several stacks in eu-west-1: NeuronApi-dev, NeuronApi-prod.',
        remedy: 'Choose one with --stack NAME.',
      },
    });
  });

  it('refuses an unknown name, and lists the stacks', () => {
    expect(thrownBy(() => chooseStack([dev], 'NeuronApi-test', 'eu-west-1'))).toMatchObject({
      detail: {
        what: 'No stack named NeuronApi-test was found in eu-west-1.',
        why: 'Stacks found: NeuronApi-dev.',
      },
    });
    expect(thrownBy(() => chooseStack([foreign], undefined, 'eu-west-1'))).toMatchObject({
      detail: { what: 'No stack named NeuronApi-… was found in eu-west-1.', why: undefined },
    });
  });

  it('refuses a stack that lacks an output, and names what is missing', () => {
    const { LogsTable: _logs, ...rest } = outputs;
    const key = 'arn:aws:kms:eu-west-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000';
    // A stage without a key has no output for one.
    expect(chooseStack([dev], undefined, 'x').outputs).not.toHaveProperty('encryptionKeyArn');
    const keyed = { name: 'NeuronApi-dev', outputs: { ...outputs, EncryptionKeyArn: key } };
    expect(chooseStack([keyed], undefined, 'x').outputs.encryptionKeyArn).toBe(key);
    expect(
      thrownBy(() => chooseStack([{ name: 'NeuronApi-old', outputs: rest }], undefined, 'x')),
    ).toMatchObject({ detail: { what: 'The stack NeuronApi-old lacks the outputs LogsTable.' } });
  });
});

describe('a stack of the newest release', () => {
  it.each(['dev', 'prod', 'full'] as const)('is one for this command, as its template %s is', (stage) => {
    // Values are resolved by CloudFormation; which outputs there are is in the template.
    const names = Object.keys(keptTemplate('api', stage).Outputs);
    const kept = Object.fromEntries(
      names.map((name) => [name, outputs[name as keyof typeof outputs] ?? '-']),
    );
    const found = chooseStack([{ name: 'NeuronApi-dev', outputs: kept }], undefined, 'x');
    expect(found.outputs.providerHosts).toBe('null');
  });
});

describe('the status of a stack', () => {
  const failed = (status: string) => ({ name: 'NeuronApi-prod', status, outputs: {} });

  it.each([
    ['ROLLBACK_COMPLETE', 'delete-stack --stack-name NeuronApi-prod'],
    ['ROLLBACK_FAILED', 'describe-stack-events --stack-name NeuronApi-prod'],
    ['CREATE_FAILED', '--no-enable-termination-protection --stack-name NeuronApi-prod'],
    ['DELETE_FAILED', 'delete-stack --stack-name NeuronApi-prod'],
    ['REVIEW_IN_PROGRESS', 'npx cdk deploy --all'],
    ['CREATE_IN_PROGRESS', 'Wait'],
    ['ROLLBACK_IN_PROGRESS', 'Wait'],
    ['DELETE_IN_PROGRESS', 'Wait'],
  ])('%s is named with the way out', (status, remedy) => {
    for (const name of [undefined, 'NeuronApi-prod']) {
      expect(thrownBy(() => chooseStack([foreign, failed(status)], name, 'eu-west-1'))).toMatchObject({
        detail: {
          what: `The stack NeuronApi-prod is in the status ${status}.`,
          why: expect.stringMatching(/^(?:Its|It|A) .*\.$/),
          remedy: expect.stringContaining(remedy),
        },
      });
    }
  });

  it.each([
    'CREATE_COMPLETE',
    'UPDATE_COMPLETE',
    'UPDATE_IN_PROGRESS',
    'UPDATE_ROLLBACK_COMPLETE',
    'UPDATE_ROLLBACK_FAILED',
    'IMPORT_COMPLETE',
    'A_STATUS_OF_LATER',
  ])('%s is no reason to refuse', (status) => {
    expect(chooseStack([{ ...dev, status }], undefined, 'eu-west-1').name).toBe('NeuronApi-dev');
  });

  it('of a failed first deployment does not make the only other stack ambiguous', () => {
    const working = { ...dev, status: 'UPDATE_COMPLETE' };
    const chosen = chooseStack([failed('ROLLBACK_COMPLETE'), working], undefined, 'eu-west-1');
    expect(chosen).toMatchObject({ name: 'NeuronApi-dev', status: 'UPDATE_COMPLETE' });
  });
});

describe('the stack of a local run', () => {
  const folder = temporaryFolder();

  const write = (changes: object) =>
    writeFileSync(
      join(folder, 'outputs.json'),
      JSON.stringify({
        format: 1,
        pid: process.pid,
        region: 'eu-north-1',
        stacks: { 'NeuronApi-local': outputs, 'NeuronData-local': {} },
        endpoints: {
          dynamodb: 'http://127.0.0.1:4001',
          secretsmanager: 'http://127.0.0.1:4002',
          url: 'http://127.0.0.1:3000',
        },
        logFolder: '/data/logs',
        ...changes,
      }),
    );

  it('is read from its data folder, with its endpoints', () => {
    write({});
    expect(findLocalStack('.', undefined, folder)).toMatchObject({
      name: 'NeuronApi-local',
      url: 'http://127.0.0.1:3000',
      region: 'eu-north-1',
      local: {
        folder,
        dynamodb: 'http://127.0.0.1:4001',
        secretsmanager: 'http://127.0.0.1:4002',
        logFolder: '/data/logs',
      },
    });
  });

  it('refuses the outputs file of a killed run or of another release', () => {
    // Above the largest process id that Linux gives (proc(5), pid_max).
    for (const changes of [{ pid: 2 ** 22 + 1 }, { format: 2 }]) {
      write(changes);
      expect(thrownBy(() => findLocalStack('.', undefined, folder))).toMatchObject({
        detail: { what: 'No local run uses the data folder ..' },
      });
    }
  });

  it.each([
    ['dynamodb', 'http://attacker.example:4001'],
    ['secretsmanager', 'https://attacker.example'],
    ['secretsmanager', 'http://127.0.0.1.attacker.example:4002'],
    ['secretsmanager', 'http://127.0.0.1@attacker.example/'],
    ['dynamodb', 'http://10.0.0.7:8000'],
    ['url', 'http://attacker.example'],
    ['url', 'no URL'],
  ])('refuses an outputs file whose %s is not on this machine: %s', (name, value) => {
    const own = {
      dynamodb: 'http://127.0.0.1:4001',
      secretsmanager: 'http://[::1]:4002',
      url: 'http://localhost:3000',
    };
    write({ endpoints: own });
    expect(findLocalStack('.', undefined, folder).local).toMatchObject({
      secretsmanager: 'http://[::1]:4002',
    });
    write({ endpoints: { ...own, [name]: value } });
    expect(thrownBy(() => findLocalStack('.', undefined, folder))).toMatchObject({
      detail: { why: `${join(folder, 'outputs.json')} names ${value}, which is not on this machine.` },
    });
  });

  it('refuses a folder without a local run, and says how to start one', () => {
    expect(thrownBy(() => findLocalStack('none', undefined, folder))).toMatchObject({
      detail: {
        what: 'No local run uses the data folder none.',
        remedy: 'Start one with `npm start`, or pass its data folder with --local=DIR.',
      },
    });
  });
});
