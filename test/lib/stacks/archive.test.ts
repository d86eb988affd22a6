// The function that archives the log every day, and what it may do.
import { describe, expect, it } from 'vitest';
import { parseStage } from '../../../lib/config/config.ts';
import { dev } from '../../../lib/stages/dev.ts';
import { resourcesOf, synthesize } from '../synthesized.ts';

interface Statement {
  readonly Sid?: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

const keyArn = 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000';
const { api } = synthesize('dev', {
  archive: { bucket: 'audit-archive', keyArn, mode: 'compliance', organizations: { acme: '3650d' } },
});
const own = (type: string) => resourcesOf(api, type).filter(([id]) => id.startsWith('Archiver'));
const statements = own('AWS::IAM::Policy').flatMap(
  ([, { Properties }]) => (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement,
);

describe('the archive', () => {
  it('is written at one every night, by that rule alone', () => {
    expect(own('AWS::Events::Rule').map(([, { Properties }]) => Properties)).toMatchObject([
      { ScheduleExpression: 'cron(0 1 * * ? *)', State: 'ENABLED' },
    ]);
    expect(own('AWS::Lambda::Permission').map(([, { Properties }]) => Properties)).toMatchObject([
      { Principal: 'events.amazonaws.com' },
    ]);
  });

  it('is off unless the stage asks for it', () => {
    for (const stage of ['dev', 'prod'])
      expect(JSON.stringify(synthesize(stage).api)).not.toMatch(/Archiver|neuron-archive/);
  });

  it('reads seals and entries by their keys, puts locked objects, and may do nothing else', () => {
    const actions = statements.filter(({ Sid }) => Sid !== undefined).map(({ Sid, Action }) => [Sid, Action]);
    expect(actions).toEqual([
      ['ReadSeals', ['dynamodb:GetItem', 'dynamodb:Query']],
      ['ReadEntries', 'dynamodb:BatchGetItem'],
      ['PutArchive', ['s3:PutObject', 's3:PutObjectRetention']],
      ['EncryptArchive', 'kms:GenerateDataKey'],
    ]);
    expect(statements.find(({ Sid }) => Sid === 'ReadSeals')?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SEAL#*', 'SEALS'] },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    });
    expect(JSON.stringify(statements)).not.toMatch(/s3:Get|s3:List|s3:Delete|Bypass|secretsmanager/);
  });

  it('goes where the function may write, with the lock of the stage', () => {
    const variables = own('AWS::Lambda::Function').map(
      ([, { Properties }]) => (Properties['Environment'] as { Variables: Record<string, unknown> }).Variables,
    );
    const [Variables = {}] = variables;
    expect(Variables['ARCHIVE_LOCK']).toBe('COMPLIANCE 400 acme=3650');
    expect(Variables['ARCHIVE_BUCKET']).toBe('audit-archive');
    const account = { Ref: 'AWS::AccountId' };
    expect(Variables['ARCHIVE_FOLDER']).toEqual({
      'Fn::Join': ['', ['neuron-archive/', account, '/eu-central-1/dev']],
    });
    const resource = JSON.stringify(statements.find(({ Sid }) => Sid === 'PutArchive')?.Resource);
    expect(resource).toContain(':s3:::audit-archive/neuron-archive/",{"Ref":"AWS::AccountId"},"/');
    expect(resource).toMatch(/"\/eu-central-1\/dev\/\*"\]\]\}$/);
  });

  it('has an alarm for days that are not archived', () => {
    const alarms = synthesize('dev', {
      archive: { bucket: 'audit-archive' },
      alarms: { addresses: [] },
    }).api;
    const own = resourcesOf(alarms, 'AWS::CloudWatch::Alarm').filter(([id]) => id.includes('NotArchived'));
    expect(own).toHaveLength(1);
    expect(own[0]?.[1].Properties).toMatchObject({
      EvaluationPeriods: 2,
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
    });
  });
});

describe('the setting archive', () => {
  it.each([
    [{}, 'archive.bucket'],
    [{ bucket: 'a.b' }, 'archive.bucket'],
    [{ bucket: 'audit', mode: 'none' }, 'must be governance or compliance'],
    [{ bucket: 'audit', retention: '1h' }, 'archive.retention'],
    [{ bucket: 'audit', organizations: { 'A b': '1d' } }, 'archive.organizations'],
    [
      {
        bucket: 'audit',
        organizations: Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`o${at}`, '1d'])),
      },
      'at most 30 organizations',
    ],
  ])('takes no %j', (archive, message) => {
    expect(() => parseStage({ ...dev, archive })).toThrow(message);
  });
});
