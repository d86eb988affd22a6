// The table of fields in docs/openai.md is that of the code, and the version it names is that of the schema it was held against.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HARMLESS_VALUES, OPENAI_FIELDS } from '../../core/surfaces/openai/fields.ts';
import { PUBLISHED_VERSION } from '../core/surfaces/openai/published-schema.ts';
import { ROOT } from '../source-tree.ts';

const page = readFileSync(join(ROOT, 'docs/openai.md'), 'utf8');
const section = page.split(/^## /m).find((each) => each.startsWith('Fields of a request')) ?? '';
const rows = [...section.matchAll(/^\| `([a-z_]+)` \| ([a-z]+)(.*) \|$/gm)];

describe('the fields in docs/openai.md', () => {
  it('are those of the code, with what becomes of each', () => {
    const told = Object.fromEntries(
      rows.map(([, name, word = '']) => [name, word === 'left' ? 'leftOut' : word]),
    );
    expect(told).toEqual(OPENAI_FIELDS);
    expect(rows).toHaveLength(Object.keys(OPENAI_FIELDS).length);
  });

  it('name the values of refused ones that are taken', () => {
    for (const [name, values] of Object.entries(HARMLESS_VALUES)) {
      const row = rows.find((one) => one[1] === name)?.[0].replaceAll('`', '') ?? '';
      for (const value of values) {
        expect(row).toContain(typeof value === 'string' ? value : JSON.stringify(value));
      }
    }
  });

  it('say which version of the schema they were held against', () => {
    expect(page).toContain(`document version ${PUBLISHED_VERSION}`);
  });
});
