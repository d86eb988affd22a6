// A provider on a host that the stage does not list is an error before its settings are stored.
import { describe, expect, it } from 'vitest';
import { errors } from './validate-text.ts';

function errorsOf(provider: string, providerHosts: readonly string[] | undefined): string[] {
  return errors(`organization: acme\nproviders: { p: { ${provider} } }\n`, { providerHosts });
}

const HOSTS = ['api.openai.com', 'bedrock-runtime.eu-central-1.amazonaws.com'];
const LIST = `does not list (${HOSTS.join(', ')}). Name a listed host, or add it there and deploy`;

describe('a provider of a stage with a list of hosts', () => {
  it.each([
    'type: openai, baseUrl: "https://API.openai.com./v1"',
    'type: openai, baseUrl: "https://api.openai.com:8443/v1"',
    'type: openai',
    'type: bedrock, region: eu-central-1',
    'type: echo',
    'type: lexical',
  ])('is valid as %s', (provider) => {
    expect(errorsOf(provider, HOSTS)).toEqual([]);
  });

  it.each([
    ['type: openai, baseUrl: "https://evil.example/v1"', 'baseUrl', 'evil.example'],
    [
      'type: openai, baseUrl: "https://api.openai.com.evil.example"',
      'baseUrl',
      'api.openai.com.evil.example',
    ],
    ['type: openai, baseUrl: "https://bücher.example"', 'baseUrl', 'xn--bcher-kva.example'],
    ['type: openai, baseUrl: "https://93.184.215.14"', 'baseUrl', '93.184.215.14'],
    ['type: anthropic, apiKey: { secret: k }', 'baseUrl', 'api.anthropic.com'],
    ['type: bedrock, region: us-east-1', 'region', 'bedrock-runtime.us-east-1.amazonaws.com'],
  ])('is an error as %s', (provider, place, host) => {
    const [error, ...others] = errorsOf(provider, HOSTS);
    expect(error).toContain(
      `providers.p.${place}: is on ${host}, which the stage setting providerHosts ${LIST}`,
    );
    expect(others).toEqual([]);
  });

  it('has the error of a user in its URL, whichever host is listed', () => {
    const [error] = errorsOf('type: openai, baseUrl: "https://api.openai.com@evil.example"', HOSTS);
    expect(error).toContain('without user, password');
  });

  it('may be anywhere without a list', () => {
    expect(errorsOf('type: openai, baseUrl: "https://evil.example/v1"', undefined)).toEqual([]);
  });
});
