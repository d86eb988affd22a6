// The lines of docs/providers.md for endpoints with OpenAI's API: each is valid as it stands, and those with recordings have them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { rejectUrl } from '../../core/settings/address-policy.ts';
import { organizationSchema } from '../../core/settings/organization-schema.ts';
import { ROOT } from '../source-tree.ts';

const page = readFileSync(join(ROOT, 'docs/providers.md'), 'utf8');
const [, after = ''] = page.split('## Endpoints of type `openai`');
const rows = [...after.matchAll(/^\| ([^|]+) \| `(\{ type: openai.*? \})`([^|]*)\| ([^|]+) \|$/gm)].map(
  ([, name = '', line = '', , recorded = '']) => [name, line, recorded] as const,
);
const RECORDINGS = 'test/adapters/providers/openai/recordings';

describe('the lines of docs/providers.md', () => {
  it('are there for each endpoint', () => {
    expect(rows.length).toBeGreaterThanOrEqual(17);
  });

  it.each(rows)('are valid for %s', (_name, line) => {
    const real = line.replaceAll('RESOURCE', 'acme').replaceAll('REGION', 'europe-west1');
    const { providers } = organizationSchema.parse({
      organization: 'acme',
      providers: { one: parse(real.replaceAll('secret: K', 'secret: key')) as unknown },
    });
    const [one] = Object.values(providers);
    expect(one?.type).toBe('openai');
    const address = one !== undefined && 'baseUrl' in one ? one.baseUrl : 'https://none';
    expect(rejectUrl(address, { allowLoopback: false })).toBeUndefined();
  });

  it.each(rows.filter(([name, , recorded]) => name !== 'OpenAI' && !recorded.startsWith('none')))(
    'say that answers of %s are recorded where they are',
    (name, _line, recorded) => {
      const vendor = (name.split(',')[0] ?? '').toLowerCase().replace(' openai', '').replace('.', '-');
      const file = join(ROOT, RECORDINGS, `${vendor}.json`);
      expect(existsSync(file)).toBe(true);
      const kinds = Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object).join(' ');
      const letters = { s: 'stream', t: 'tools', e: 'error' };
      for (const [letter, word] of Object.entries(letters))
        expect([name, word, kinds.includes(word)]).toEqual([
          name,
          word,
          recorded.split(/[ ,]/).includes(letter),
        ]);
    },
  );
});
