// Tests of the three lists.
import { describe, expect, it } from 'vitest';
import { checkResources } from '../../resources/check.ts';
import type { ResolvedResource } from '../../template/types.ts';
import { resource as makeResource, stackOf } from '../support/resources.ts';

const resource = (type: string, properties: object = {}, logicalId = 'Thing') =>
  makeResource(type, logicalId, properties);
const check = (...resources: readonly ResolvedResource[]) => checkResources(stackOf(resources));

describe('checkResources', () => {
  it('reports nothing about supported resources', () => {
    expect(check(resource('AWS::DynamoDB::Table', { KeySchema: [], AttributeDefinitions: [] }))).toEqual([]);
  });

  it('gives the reason for each type that the local run ignores', () => {
    expect(check(resource('AWS::IAM::Role', { Anything: 1 }), resource('AWS::WAFv2::WebACL'))).toEqual([
      'Stack/Thing (AWS::IAM::Role) is ignored: no permission is checked on one machine',
      'Stack/Thing (AWS::WAFv2::WebACL) is ignored: there is no firewall in front of 127.0.0.1',
    ]);
  });

  it('gives the reason for each property without effect, also inside lists', () => {
    const GlobalSecondaryIndexes = [{ IndexName: 'a' }, { IndexName: 'b', WarmThroughput: {} }];
    expect(check(resource('AWS::DynamoDB::Table', { GlobalSecondaryIndexes }))).toEqual([
      'Stack/Thing (AWS::DynamoDB::Table): GlobalSecondaryIndexes.WarmThroughput has no effect: the engine has no capacity to buy or to run out of',
    ]);
  });

  it('refuses types and properties that are on no list, all at once', () => {
    const failing = () =>
      check(
        resource('AWS::SQS::Queue', {}, 'Queue'),
        resource('Custom::Mine', { ServiceToken: 'arn:Function' }, 'Custom'),
        resource('AWS::SecretsManager::Secret', {}, 'Secret'),
        resource('AWS::DynamoDB::Table', { GlobalSecondaryIndexes: [{ Unheard: 1 }], Of: 2 }, 'Table'),
        resource('AWS::Lambda::Function', { Layers: [] }, 'Function'),
      );
    expect(failing).toThrow(
      expect.objectContaining({
        code: 'TEMPLATE_NOT_SUPPORTED',
        message: [
          'The template is not supported:',
          '  Stack/Queue (AWS::SQS::Queue): the type is not supported',
          '  Stack/Custom (Custom::Mine): the type is not supported',
          '  Stack/Secret (AWS::SecretsManager::Secret): the type is not supported',
          '  Stack/Table (AWS::DynamoDB::Table): the property GlobalSecondaryIndexes.Unheard is not supported',
          '  Stack/Table (AWS::DynamoDB::Table): the property Of is not supported',
          '  Stack/Function (AWS::Lambda::Function): the property Layers is not supported',
        ].join('\n'),
      }),
    );
  });

  it('refuses an event rule: only schedules are supported', () => {
    expect(() => check(resource('AWS::Events::Rule', { EventPattern: {} }))).toThrow('EventPattern');
  });
});
