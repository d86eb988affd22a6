// Settings that this release does not act on are refused, wherever they stand; asking for nothing is not.
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../adapters/yaml/parse-yaml.ts';
import { renderPath } from '../../../core/config/finding.ts';
import { judgeDocuments } from '../../../core/config/judge.ts';

const acme = 'organization: acme\nproviders: { demo: { type: echo } }\n';
const hello = 'neuron: acme/hello\naccess: { public: true }\n';

/** Paths at which documents are refused as not supported. */
function unsupported(text: string): string[] {
  const { refusals } = judgeDocuments(parseYaml('a.yaml', text).documents, {
    addresses: { allowLoopback: false },
    maxDeadlineMs: 120_000,
    transferMode: 'STREAM',
    stored: new Map(),
    complete: true,
  });
  return refusals
    .filter(({ message }) => message === 'is not supported yet by this release: remove it')
    .map(({ path }) => renderPath(path));
}

describe('what is not built yet', () => {
  test.each([
    ['usageLimits', `${acme}usageLimits: [{ metric: requests, limit: 1, period: day }]\n`],
    ['providers.demo.type', acme.replace('echo', 'bedrock, region: us-east-1')],
  ])('refuses %s of an organization', (path, text) => {
    expect(unsupported(text)).toEqual([path]);
  });

  test.each([
    ['rateLimits', 'rateLimits: [{ metric: requests, scope: total, limit: 1, period: 1m }]\n'],
    ['whenCountersFail', 'whenCountersFail: admit\n'],
  ])('refuses %s of a neuron', (path, text) => {
    expect(unsupported(`${acme}---\n${hello}${text}`)).toEqual([path]);
  });
});
