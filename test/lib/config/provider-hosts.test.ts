// The stage setting providerHosts: a list that cannot be empty by mistake, and that Bedrock's regions are part of.
import { describe, expect, it } from 'vitest';
import { parseStage } from '../../../lib/config/config.ts';
import { dev } from '../../../lib/stages/dev.ts';

const MODELS = ['amazon.nova-lite-v1:0'];
const bedrock = ['eu-central-1', 'us-east-1'].map((region) => ({ region, models: MODELS }));

describe('the stage setting providerHosts', () => {
  it.each([
    [
      'providerHosts',
      { providerHosts: [] },
      'must be a list of hosts, such as [api.openai.com]; leave it out',
    ],
    ['providerHosts', { providerHosts: 'api.openai.com' }, 'must be a list of hosts'],
    ['providerHosts[0]', { providerHosts: ['API.openai.com'] }, 'must be a host in lower case and ASCII'],
    ['providerHosts[1]', { providerHosts: ['a.example', '*.com'] }, 'must be a host in lower case and ASCII'],
    ['providerHosts[0]', { providerHosts: [7] }, 'must be a host in lower case and ASCII'],
    [
      'providerHosts',
      { providerHosts: Array.from({ length: 100 }, (_, index) => `host-${index}.example.com`) },
      'must be at most 1500 characters in all',
    ],
    [
      'bedrock[1].region',
      { bedrock, providerHosts: ['bedrock-runtime.eu-central-1.amazonaws.com'] },
      'is on bedrock-runtime.us-east-1.amazonaws.com, which the stage setting providerHosts does not list',
    ],
  ])('is refused with an error at %s: %j', (path, wrong, message) => {
    expect(() => parseStage({ ...dev, ...wrong })).toThrow(`\n  ${path}: ${message}`);
  });

  it('is a list of hosts and of domains', () => {
    const providerHosts = ['api.openai.com', '*.amazonaws.com'];
    expect(parseStage({ ...dev, bedrock, providerHosts }).providerHosts).toEqual(providerHosts);
  });

  it('bounds nothing where it is left out', () => {
    expect(parseStage({ ...dev, bedrock }).providerHosts).toBeUndefined();
  });
});
