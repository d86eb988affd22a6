// Tests of the intrinsic functions, on examples from the CloudFormation Template Reference.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation's own syntax
import { describe, expect, it } from 'vitest';
import { resolveStacks } from '../../template/resolve-stacks.ts';
import { readTemplate } from '../../template/template.ts';
import { resolveSettings } from './assembly-on-disk.ts';

const template = (sections: object, name = 'Stack') => ({
  name,
  folder: '/nonexistent',
  region: undefined,
  assets: new Map<string, string>(),
  template: readTemplate({ Resources: {}, ...sections }),
});

const resolveOne = (value: unknown, sections: object = {}, settings = {}) => {
  const Resources = {
    Subject: { Type: 'AWS::SNS::Topic', Properties: { Value: value } },
    Table: { Type: 'AWS::DynamoDB::Table', Properties: {} },
    Named: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'given' } },
    Fn: { Type: 'AWS::IAM::Role', Properties: {} },
  };
  const [stack] = resolveStacks([template({ Resources, ...sections })], resolveSettings(settings));
  return stack?.resources.find(({ logicalId }) => logicalId === 'Subject')?.properties['Value'];
};

describe('intrinsic functions', () => {
  const parameters = {
    Parameters: {
      Word: { Type: 'String', Default: 'default' },
      List: { Type: 'CommaDelimitedList', Default: 'a, b' },
      Open: { Type: 'String' },
      Kept: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/path' },
    },
    Mappings: { RegionMap: { 'eu-west-1': { HVM64: 'ami-1' } } },
    Conditions: { Yes: { 'Fn::Equals': ['1', 1] }, No: { 'Fn::Not': [{ Condition: 'Yes' }] } },
  };

  it.each([
    ['Ref to a table, named after stack and logical id', { Ref: 'Table' }, 'Stack-Table'],
    ['Ref to a table with a name', { Ref: 'Named' }, 'given'],
    ['Ref to a parameter', { Ref: 'Word' }, 'default'],
    ['Ref to a list parameter', { Ref: 'List' }, ['a', 'b']],
    ['Ref to AWS::Region', { Ref: 'AWS::Region' }, 'eu-west-1'],
    ['Ref to AWS::AccountId', { Ref: 'AWS::AccountId' }, '111122223333'],
    ['Ref to AWS::Partition', { Ref: 'AWS::Partition' }, 'aws'],
    ['Ref to AWS::URLSuffix', { Ref: 'AWS::URLSuffix' }, 'amazonaws.com'],
    ['Ref to AWS::StackName', { Ref: 'AWS::StackName' }, 'Stack'],
    [
      'GetAtt as a list',
      { 'Fn::GetAtt': ['Table', 'Arn'] },
      'arn:aws:dynamodb:eu-west-1:111122223333:table/Stack-Table',
    ],
    [
      'GetAtt as a text',
      { 'Fn::GetAtt': 'Named.Arn' },
      'arn:aws:dynamodb:eu-west-1:111122223333:table/given',
    ],
    ['Join', { 'Fn::Join': [':', ['a', 'b', { Ref: 'Word' }]] }, 'a:b:default'],
    ['Join of a function', { 'Fn::Join': ['-', { 'Fn::Split': ['|', 'a|b'] }] }, 'a-b'],
    ['Split', { 'Fn::Split': ['|', 'a|b|c'] }, ['a', 'b', 'c']],
    ['Select', { 'Fn::Select': ['1', ['apples', 'grapes']] }, 'grapes'],
    [
      'Sub',
      { 'Fn::Sub': '${Named}/${Named.Arn}/${!Literal}/${AWS::Region}' },
      'given/arn:aws:dynamodb:eu-west-1:111122223333:table/given/${Literal}/eu-west-1',
    ],
    ['Sub with variables', { 'Fn::Sub': ['${A}-${Word}', { A: { Ref: 'Table' } }] }, 'Stack-Table-default'],
    ['FindInMap', { 'Fn::FindInMap': ['RegionMap', { Ref: 'AWS::Region' }, 'HVM64'] }, 'ami-1'],
    ['Base64', { 'Fn::Base64': 'AWS CloudFormation' }, 'QVdTIENsb3VkRm9ybWF0aW9u'],
    ['GetAZs', { 'Fn::GetAZs': '' }, ['eu-west-1a', 'eu-west-1b', 'eu-west-1c']],
    ['If, true', { 'Fn::If': ['Yes', 'a', 'b'] }, 'a'],
    ['If, false', { 'Fn::If': ['No', 'a', { b: [1] }] }, { b: [1] }],
    ['a function deep inside', { a: [{ b: { Ref: 'Word' } }] }, { a: [{ b: 'default' }] }],
    ['no function: Ref beside another member', { Ref: 'Word', more: 1 }, { Ref: 'Word', more: 1 }],
    ['no function: the Condition of a policy', { Condition: { Bool: {} } }, { Condition: { Bool: {} } }],
  ])('resolves %s', (_name, value, expected) => {
    expect(resolveOne(value, parameters)).toEqual(expected);
  });

  it('omits AWS::NoValue, in objects and in lists', () => {
    const nothing = { 'Fn::If': ['No', 'x', { Ref: 'AWS::NoValue' }] };
    expect(resolveOne({ a: nothing, b: [1, nothing, 2] }, parameters)).toEqual({ b: [1, 2] });
  });

  it('prefers given parameter values to defaults', () => {
    const settings = { parameters: { Word: 'set', Kept: 'known' } };
    expect(resolveOne([{ Ref: 'Word' }, { Ref: 'Kept' }], parameters, settings)).toEqual(['set', 'known']);
  });

  it.each([
    [
      'an unknown function',
      { 'Fn::Cidr': ['10.0.0.0/16', 1] },
      'the intrinsic function Fn::Cidr is not supported',
    ],
    ['a name that nothing has', { Ref: 'Nothing' }, 'there is no Nothing'],
    ['an attribute that a table has not', { 'Fn::GetAtt': ['Table', 'Url'] }, 'Table has no attribute Url'],
    ['a parameter without a value', { Ref: 'Open' }, 'the parameter Open has no default'],
    ['a parameter of Parameter Store', { Ref: 'Kept' }, 'the parameter Kept is kept in Parameter Store'],
    ['an entry that is not there', { 'Fn::Select': [2, ['a']] }, 'there is no entry 2'],
    ['a map without the key', { 'Fn::FindInMap': ['RegionMap', 'x', 'y'] }, 'there is no RegionMap.x.y'],
    ['an export that no stack has', { 'Fn::ImportValue': 'x' }, 'no stack exports x'],
    ['a list in place of a text', { 'Fn::Join': ['', [['a']]] }, 'expected a text'],
    ['a dynamic reference', '{{resolve:ssm:x}}', 'dynamic references'],
  ])('refuses %s, and names the place', (_name, value, message) => {
    expect(() => resolveOne({ Inner: [value] }, parameters)).toThrow(
      expect.objectContaining({
        code: 'TEMPLATE_NOT_SUPPORTED',
        message: expect.stringMatching(/^Stack\/Subject\.Properties\.Value\.Inner\[0\]/),
      }),
    );
    expect(() => resolveOne({ Inner: [value] }, parameters)).toThrow(message);
  });

  it('resolves what stacks export to each other, in either order', () => {
    const data = template(
      {
        Resources: { Table: { Type: 'AWS::DynamoDB::Table', Properties: {} } },
        Outputs: {
          Out: { Value: { Ref: 'Table' }, Export: { Name: { 'Fn::Sub': '${AWS::StackName}:Table' } } },
        },
      },
      'Data',
    );
    const api = template({ Outputs: { Name: { Value: { 'Fn::ImportValue': 'Data:Table' } } } }, 'Api');
    for (const stacks of [
      [data, api],
      [api, data],
    ]) {
      const resolved = resolveStacks(stacks, resolveSettings());
      expect(resolved.find(({ name }) => name === 'Api')?.outputs).toEqual({ Name: 'Data-Table' });
    }
  });
});

describe('conditions', () => {
  const verdict = (condition: unknown) => {
    const [stack] = resolveStacks(
      [
        template({
          Parameters: { Env: { Type: 'String', Default: 'prod' } },
          Conditions: { Subject: condition, IsProd: { 'Fn::Equals': [{ Ref: 'Env' }, 'prod'] } },
          Outputs: { There: { Condition: 'Subject', Value: 'yes' } },
        }),
      ],
      resolveSettings(),
    );
    return stack?.outputs['There'] === 'yes';
  };
  const no = { 'Fn::Equals': ['a', 'b'] };
  const yes = { Condition: 'IsProd' };

  it.each([
    ['Equals of equal texts', yes, true],
    ['Equals of a number and its text', { 'Fn::Equals': [1, '1'] }, true],
    ['Equals of other texts', no, false],
    ['Not', { 'Fn::Not': [no] }, true],
    ['And of two that hold', { 'Fn::And': [yes, { 'Fn::Not': [no] }] }, true],
    ['And with one that does not', { 'Fn::And': [yes, no] }, false],
    ['Or with one that holds', { 'Fn::Or': [no, yes] }, true],
    ['Or of two that do not', { 'Fn::Or': [no, no] }, false],
  ])('evaluates %s', (_name, condition, expected) => {
    expect(verdict(condition)).toBe(expected);
  });

  it('leaves resources with a false condition out, and refuses a Ref to one', () => {
    const Conditions = { No: no };
    const Resources = { Gone: { Type: 'AWS::SNS::Topic', Condition: 'No' } };
    const [stack] = resolveStacks([template({ Conditions, Resources })], resolveSettings());
    expect(stack?.resources).toEqual([]);
    const Outputs = { Out: { Value: { Ref: 'Gone' } } };
    expect(() => resolveStacks([template({ Conditions, Resources, Outputs })], resolveSettings())).toThrow(
      'Gone is not there: its condition No is false',
    );
  });

  it.each([
    ['one that depends on itself', { 'Fn::Not': [{ Condition: 'Subject' }] }, 'depends on itself'],
    ['a condition that is not there', { Condition: 'Other' }, 'there is no condition Other'],
    ['And with one operand', { 'Fn::And': [yes] }, 'Fn::And takes 2 to 10 operands'],
    ['what is no condition', { 'Fn::Join': ['', []] }, 'Fn::Join is no condition'],
  ])('refuses %s', (_name, condition, message) => {
    expect(() => verdict(condition)).toThrow(message);
  });
});
