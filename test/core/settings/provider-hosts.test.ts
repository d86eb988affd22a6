// The list of hosts that providers may have, against spellings that mean another host or look like a listed one.
import { describe, expect, it } from 'vitest';
import { isHostPattern, rejectProviderHost, toBedrockHost } from '../../../core/settings/provider-hosts.ts';

const HOSTS = ['api.openai.com', '*.openai.azure.com', '93.184.215.14', 'xn--bcher-kva.example'];

function isListed(url: string): boolean {
  return rejectProviderHost(HOSTS, new URL(url).hostname) === undefined;
}

describe('a host pattern', () => {
  it.each(['api.openai.com', '*.openai.azure.com', 'localhost', '93.184.215.14', 'xn--bcher-kva.example'])(
    'may be %s',
    (text) => {
      expect(isHostPattern(text)).toBe(true);
    },
  );

  it.each([
    '',
    '*',
    '*.',
    '*.com',
    '*openai.com',
    'api.*.com',
    '*.*.com',
    '*.184.215.14',
    '*.93.184.215.14',
    'API.openai.com',
    'api.openai.com.',
    '.openai.com',
    'api..openai.com',
    'api.openai.com:443',
    'https://api.openai.com',
    'api.openai.com/v1',
    'user@api.openai.com',
    'bücher.example',
    '[2606:4700::1111]',
    'api.openai.com,evil.example',
    ' api.openai.com',
    'api.openai.com\n',
    '127.1',
  ])('may not be "%s"', (text) => {
    expect(isHostPattern(text)).toBe(false);
  });
});

describe('the host of a URL', () => {
  it.each([
    'https://api.openai.com/v1',
    'https://API.OpenAI.com/v1',
    'https://api.openai.com./v1',
    'https://api.openai.com:8443/v1',
    'https://api%2Eopenai.com/',
    'https://acme.openai.azure.com/',
    'https://eu.acme.openai.azure.com/',
    'https://93.184.215.14/',
    'https://0x5db8d70e/',
    'https://bücher.example/',
    'https://BÜCHER.example/',
  ])('is listed as %s', (url) => {
    expect(isListed(url)).toBe(true);
  });

  it.each([
    'https://openai.com/',
    'https://evil.api.openai.com/',
    'https://api.openai.com.evil.example/',
    'https://api.openai.com@evil.example/',
    'https://evil.example/api.openai.com',
    'https://evil.example#api.openai.com',
    'https://evil.example\\@api.openai.com/',
    'https://api.openai.com../',
    'https://api-openai.com/',
    'https://api.openai.co/',
    'https://openai.azure.com/',
    'https://evilopenai.azure.com/',
    'https://.openai.azure.com/',
    'https://a..openai.azure.com/',
    'https://аpi.openai.com/', // The first letter is Cyrillic.
    'https://93.184.215.15/',
    'https://[::ffff:93.184.215.14]/',
    'https://xn--bcher-kva.example.evil.example/',
  ])('is not listed as %s', (url) => {
    expect(isListed(url)).toBe(false);
  });

  it('is not bounded without a list', () => {
    expect(rejectProviderHost(undefined, 'evil.example')).toBeUndefined();
  });

  it('is named in the error, with the list and what to do', () => {
    expect(rejectProviderHost(['api.openai.com', '*.example.com'], 'evil.example')).toBe(
      'is on evil.example, which the stage setting providerHosts does not list (api.openai.com, *.example.com). Name a listed host, or add it there and deploy',
    );
  });

  it('of Bedrock is that of its region', () => {
    expect(toBedrockHost('eu-central-1')).toBe('bedrock-runtime.eu-central-1.amazonaws.com');
  });
});
