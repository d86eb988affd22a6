// Mock integrations. Expected: API Gateway Developer Guide, "Set up mock integrations", "Integration passthrough behaviors"
// and "Map request and response payloads".
import { describe, expect, it } from 'vitest';
import type { Variables } from '../../gateway-responses/substitution.ts';
import { type MockIntegration, readMockIntegration } from '../../integration/mock.ts';
import { method } from '../fixtures/http-template.ts';

const variables: Variables = {
  context: (path) => (path.join('.') === 'requestId' ? 'r-1' : undefined),
  stageVariable: () => undefined,
  requestParameter: () => undefined,
};
const RESPONSES = [
  {
    StatusCode: '204',
    SelectionPattern: '2\\d\\d',
    ResponseParameters: { 'method.response.header.A': "'b'" },
  },
  {
    StatusCode: '404',
    ResponseTemplates: { 'application/json': '{"id":"$context.requestId"}', 'text/plain': 'no' },
  },
];
const METHOD_RESPONSES = [
  { StatusCode: '204', ResponseParameters: { 'method.response.header.A': true } },
  { StatusCode: '404' },
];

function mock(
  integration: object,
  request: Partial<Parameters<MockIntegration>[0]> = {},
  methodResponses: unknown = METHOD_RESPONSES,
) {
  const resource = method(
    'r',
    'ANY',
    { Type: 'MOCK', IntegrationResponses: RESPONSES, ...integration },
    {
      MethodResponses: methodResponses,
    },
  );
  const answer = readMockIntegration(resource);
  return answer({ contentType: undefined, accept: undefined, body: '', ...request }, variables);
}

const JSON_204 = { RequestTemplates: { 'application/json': '{"statusCode": 204}' } };
const JSON_404 = { RequestTemplates: { 'application/json': '{"note":1,"statusCode": 404}' } };

describe('a mock integration', () => {
  it('answers with the response that the status of its request template chooses', () => {
    expect(mock(JSON_204)).toEqual({
      status: 204,
      headers: [
        ['A', 'b'],
        ['Content-Type', 'application/json'],
      ],
      body: '',
    });
    expect(mock(JSON_404)).toEqual({
      status: 404,
      headers: [['Content-Type', 'application/json']],
      body: '{"id":"r-1"}',
    });
  });

  it('reads the form without quotes that the CDK writes', () => {
    expect(mock({ RequestTemplates: { 'application/json': '{ statusCode: 204 }' } })).toMatchObject({
      status: 204,
    });
  });

  it('takes the default response without any request template', () => {
    expect(mock({})).toMatchObject({ status: 404 });
  });

  it('chooses the response template by the Accept header', () => {
    expect(mock(JSON_404, { accept: 'text/plain; q=1, */*' })).toMatchObject({
      body: 'no',
      headers: [['Content-Type', 'text/plain']],
    });
    expect(mock(JSON_404, { accept: 'image/png' })).toMatchObject({ body: '{"id":"r-1"}' });
  });

  it('looks at the media type only', () => {
    expect(mock(JSON_204, { contentType: 'application/json; charset=utf-8' })).toMatchObject({ status: 204 });
  });

  it('hands a body of another media type through, which then must name the status', () => {
    expect(mock(JSON_204, { contentType: 'text/plain', body: 'hello' })).toEqual({ type: 'DEFAULT_5XX' });
    expect(mock(JSON_204, { contentType: 'text/plain', body: '{"statusCode":404}' })).toMatchObject({
      status: 404,
    });
  });

  it.each(['NEVER', 'WHEN_NO_TEMPLATES'])(
    'refuses another media type when passing through is %s',
    (passthrough) => {
      expect(mock({ ...JSON_204, PassthroughBehavior: passthrough }, { contentType: 'text/plain' })).toEqual({
        type: 'UNSUPPORTED_MEDIA_TYPE',
      });
    },
  );

  it('fails when no response is for its status', () => {
    const integration = { ...JSON_404, IntegrationResponses: [RESPONSES[0]] };
    expect(mock(integration)).toEqual({ type: 'API_CONFIGURATION_ERROR' });
  });

  it('fails when its template names no status', () => {
    expect(mock({ RequestTemplates: { 'application/json': '{}' } })).toEqual({ type: 'DEFAULT_5XX' });
  });
});

describe('at start', () => {
  it.each([
    ['a directive', { RequestTemplates: { 'application/json': '#if(true){"statusCode":200}#end' } }],
    ['the input', { RequestTemplates: { 'application/json': '{"statusCode": $input.params(\'s\')}' } }],
  ])('refuses Velocity: %s', (_name, integration) => {
    expect(() => mock(integration)).toThrow('Velocity');
  });

  it('refuses a response that the method does not declare, as CloudFormation does', () => {
    expect(() => mock(JSON_204, {}, [{ StatusCode: '204' }])).toThrow('not declared');
    expect(() => mock(JSON_204, {}, [METHOD_RESPONSES[0]])).toThrow('answers 404');
  });

  it('refuses a mapping of what a mock does not have', () => {
    const response = {
      StatusCode: '204',
      ResponseParameters: { 'method.response.header.A': 'integration.response.header.B' },
    };
    expect(() => mock({ ...JSON_204, IntegrationResponses: [response] })).toThrow('is not supported');
  });
});
