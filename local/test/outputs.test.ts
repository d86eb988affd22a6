// Tests of the outputs that other programs read.
import { expect, it } from 'vitest';
import { renderOutputs } from '../outputs.ts';

it('makes the address of the API the local one, wherever an output has it, and leaves the rest', () => {
  const api = {
    stack: 'Api',
    logicalId: 'Api',
    type: 'AWS::ApiGateway::RestApi',
    physicalId: 'abc123def4',
    arn: undefined,
    properties: {},
    metadata: {},
  };
  const outputs = {
    Url: 'https://abc123def4.execute-api.eu-west-1.amazonaws.com/prod/',
    Route: 'https://abc123def4.execute-api.eu-west-1.amazonaws.com/prod/acme/hello',
    Bare: 'https://abc123def4.execute-api.cn-north-1.amazonaws.com.cn',
    Other: 'https://zzzzzzzzzz.execute-api.eu-west-1.amazonaws.com/prod/',
    Table: 'Data-Table',
  };
  const stacks = [{ name: 'Api', folder: '', resources: [api], outputs }];
  expect(renderOutputs(stacks, 'http://127.0.0.1:3000')).toEqual({
    Api: {
      Url: 'http://127.0.0.1:3000/',
      Route: 'http://127.0.0.1:3000/acme/hello',
      Bare: 'http://127.0.0.1:3000',
      Other: 'https://zzzzzzzzzz.execute-api.eu-west-1.amazonaws.com/prod/',
      Table: 'Data-Table',
    },
  });
});
