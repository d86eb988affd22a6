// The function that watches rollouts every minute, and what it may do: the share of a rollout, and nothing else of a neuron.
import { describe, expect, it } from 'vitest';
import { STOP_ATTRIBUTES, WATCHED_ATTRIBUTES } from '../../../core/contract/tables.ts';
import { resourcesOf, synthesize } from '../synthesized.ts';

interface Statement {
  readonly Sid: string;
  readonly Action: string | readonly string[];
  readonly Condition?: Readonly<Record<string, object>>;
}

const { api } = synthesize('prod');
const own = (type: string) => resourcesOf(api, type).filter(([id]) => id.startsWith('RolloutWatch'));
const statements = own('AWS::IAM::Policy').flatMap(
  ([, { Properties }]) => (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement,
);
const statementOf = (sid: string) => statements.find(({ Sid }) => Sid === sid);

describe('the watch of rollouts', () => {
  it('runs every minute, and no failed run is repeated', () => {
    expect(own('AWS::Events::Rule').map(([, { Properties }]) => Properties)).toMatchObject([
      {
        ScheduleExpression: 'rate(1 minute)',
        State: 'ENABLED',
        Targets: [{ RetryPolicy: { MaximumRetryAttempts: 0 } }],
      },
    ]);
    expect(own('AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties)).toMatchObject([
      { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
    ]);
    expect(own('AWS::Lambda::Function').map(([, { Properties }]) => Properties)).toMatchObject([
      { ReservedConcurrentExecutions: 1 },
    ]);
  });

  it('has these rights and no other', () => {
    const rights = statements.map(({ Sid, Action }) => [Sid, ...[Action].flat()]);
    expect(rights.flatMap(([sid, ...actions]) => (sid === undefined ? actions : [])).toSorted()).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
    expect(rights.filter(([sid]) => sid !== undefined)).toEqual([
      ['ReadCounts', 'dynamodb:Query'],
      ['ReadRollouts', 'dynamodb:Query'],
      ['StopRollouts', 'dynamodb:UpdateItem'],
      ['RecordStops', 'dynamodb:PutItem'],
      ['SendAlerts', 'events:PutEvents'],
    ]);
  });

  it('sees no settings, and changes the rollout and the number of writes alone', () => {
    expect(statementOf('ReadRollouts')?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORG#*'] },
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...WATCHED_ATTRIBUTES] },
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
    });
    expect(WATCHED_ATTRIBUTES).not.toContain('document');
    expect(statementOf('StopRollouts')?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORG#*'] },
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...STOP_ATTRIBUTES] },
      Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
    });
    expect(STOP_ATTRIBUTES).toEqual(['pk', 'sk', 'rollout', 'write']);
  });

  it('reads slots alone, records changes alone, and sends this event alone', () => {
    expect(statementOf('ReadCounts')?.Condition).toEqual({
      'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['ROLLOUTS'] },
    });
    expect(statementOf('RecordStops')?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['CHANGES', 'CHANGES#*'] },
    });
    expect(statementOf('SendAlerts')?.Condition).toMatchObject({
      StringEquals: { 'events:detail-type': 'Rollout Stopped' },
    });
  });
});
