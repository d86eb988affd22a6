// The function that writes the heads of the seals every hour, and what it may do.
import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesize } from '../synthesized.ts';

interface Statement {
  readonly Sid?: string;
  readonly Action: unknown;
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

function statementsOf({ api }: ReturnType<typeof synthesize>): Statement[] {
  return resourcesOf(api, 'AWS::IAM::Policy')
    .filter(([id]) => id.startsWith('HeadWriter'))
    .flatMap(([, { Properties }]) => (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement);
}

/** Alerts have a rule of their own. */
function rulesOf({ api }: Pick<ReturnType<typeof synthesize>, 'api'>) {
  return resourcesOf(api, 'AWS::Events::Rule').filter(([id]) => id.startsWith('HeadWriter'));
}

const plain = synthesize('dev', { logHeads: {} });
const locked = synthesize('dev', { logHeads: { bucket: 'audit-heads' } });

describe('the heads of the seals', () => {
  it('are written every hour', () => {
    const [, rule] = rulesOf(plain)[0] ?? [];
    expect(rule?.Properties).toMatchObject({
      ScheduleExpression: 'rate(1 hour)',
      State: 'ENABLED',
      Targets: [{ Arn: { 'Fn::GetAtt': [expect.stringMatching(/^HeadWriterServiceFunction/), 'Arn'] } }],
    });
  });

  it('are written by nobody but that rule', () => {
    const permissions = resourcesOf(plain.api, 'AWS::Lambda::Permission').filter(([id]) =>
      id.startsWith('HeadWriter'),
    );
    expect(permissions.map(([, { Properties }]) => Properties)).toMatchObject([
      {
        Principal: 'events.amazonaws.com',
        SourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^HeadWriterHourly/), 'Arn'] },
      },
    ]);
  });

  it('are written by nobody where the stage does not ask for it', () => {
    const { api } = synthesize('dev', { logHeads: undefined });
    expect(rulesOf({ api })).toEqual([]);
    expect(resourcesOf(api, 'AWS::Lambda::Function').some(([id]) => id.startsWith('HeadWriter'))).toBe(false);
  });

  it('are all that the function may read, and it may write nothing but lines', () => {
    const statements = statementsOf(plain);
    expect(statements.filter(({ Sid }) => Sid === 'ListHeads')).toMatchObject([
      {
        Action: 'dynamodb:Query',
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['SEALS'] } },
      },
    ]);
    expect(JSON.stringify(statements)).not.toContain('s3:');
  });

  it('are encrypted with the key of the bucket where it has one, through S3 alone', () => {
    const keyArn = 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000';
    const encrypted = synthesize('dev', { logHeads: { bucket: 'audit-heads', keyArn } });
    expect(statementsOf(encrypted).filter(({ Sid }) => Sid === 'EncryptHeads')).toEqual([
      {
        Sid: 'EncryptHeads',
        Effect: 'Allow',
        Action: 'kms:GenerateDataKey',
        Resource: keyArn,
        Condition: { StringEquals: { 'kms:ViaService': 's3.eu-central-1.amazonaws.com' } },
      },
    ]);
    expect(JSON.stringify(statementsOf(locked))).not.toContain('kms:');
  });

  it('go to the bucket under account, region and stage, and nothing there can be read or deleted', () => {
    const [statement, ...others] = statementsOf(locked).filter(({ Action }) =>
      JSON.stringify(Action).includes('s3:'),
    );
    expect(others).toEqual([]);
    expect(statement).toMatchObject({ Sid: 'PutHeads', Action: 's3:PutObject' });
    const names = [{ Ref: 'AWS::AccountId' }, '/', { Ref: 'AWS::Region' }];
    expect(statement?.Resource).toEqual({
      'Fn::Join': [
        '',
        ['arn:', { Ref: 'AWS::Partition' }, ':s3:::audit-heads/neuron-heads/', ...names, '/dev/*'],
      ],
    });
    const [[, writer] = ['', undefined]] = resourcesOf(locked.api, 'AWS::Lambda::Function').filter(([id]) =>
      id.startsWith('HeadWriter'),
    );
    // The function writes where it may.
    expect(writer?.Properties['Environment']).toMatchObject({
      Variables: { HEADS_FOLDER: { 'Fn::Join': ['', ['neuron-heads/', ...names, '/dev']] } },
    });
  });
});
