// Tests of what Ref and GetAtt give, against the "Return values" of the CloudFormation Template Reference.
import { describe, expect, it } from 'vitest';
import { identify } from '../../template/identities.ts';

const PSEUDO = {
  accountId: '111122223333',
  region: 'eu-west-1',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
};
const of = (type: string, properties: Readonly<Record<string, string>> = {}, logicalId = 'Thing') =>
  identify({ stack: 'Stack', logicalId, type, pseudo: PSEUDO, property: (name) => properties[name] });

describe('identify', () => {
  it('names a function, its versions and its aliases by their ARNs', () => {
    const arn = 'arn:aws:lambda:eu-west-1:111122223333:function:Stack-Thing';
    expect(of('AWS::Lambda::Function')).toMatchObject({ physicalId: 'Stack-Thing', arn });
    expect(of('AWS::Lambda::Version', { FunctionName: 'Stack-Thing' })).toMatchObject({
      physicalId: `${arn}:1`,
      attributes: { Version: '1' },
    });
    expect(of('AWS::Lambda::Alias', { FunctionName: arn, Name: 'live' }).physicalId).toBe(`${arn}:live`);
  });

  it('gives a table a stream under its own ARN', () => {
    const { arn, attributes } = of('AWS::DynamoDB::GlobalTable');
    expect(arn).toBe('arn:aws:dynamodb:eu-west-1:111122223333:table/Stack-Thing');
    expect(attributes['StreamArn']).toMatch(
      /^arn:aws:dynamodb:eu-west-1:111122223333:table\/Stack-Thing\/stream\//,
    );
  });

  it('gives an API the id of ten lower-case letters and digits that AWS gives, with a root of its own', () => {
    const { physicalId, attributes } = of('AWS::ApiGateway::RestApi');
    expect(physicalId).toMatch(/^[a-z0-9]{10}$/);
    expect(attributes['RootResourceId']).toMatch(/^[a-z0-9]{10}$/);
    expect(attributes['RootResourceId']).not.toBe(physicalId);
  });

  it('names a resource the same at every start, and two resources differently', () => {
    expect(of('AWS::ApiGateway::RestApi')).toEqual(of('AWS::ApiGateway::RestApi'));
    expect(of('AWS::ApiGateway::RestApi', {}, 'Other').physicalId).not.toBe(
      of('AWS::ApiGateway::RestApi').physicalId,
    );
  });

  it('keeps generated names within the 64 characters that Lambda takes, and apart', () => {
    const long = 'L'.repeat(80);
    const names = [`${long}A`, `${long}B`].map((id) => of('AWS::Lambda::Function', {}, id).physicalId);
    expect(names.every((name) => name.length <= 64)).toBe(true);
    expect(new Set(names).size).toBe(2);
  });

  it('makes up names for types that the local run ignores', () => {
    expect(of('AWS::WAFv2::WebACL').arn).toBe('arn:aws:wafv2:eu-west-1:111122223333:Stack-Thing');
  });
});
