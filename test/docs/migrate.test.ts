// The tables of members in docs/migrate.md are those of the commands.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MEMBERS } from '../../cli/import/members.ts';
import { PORTKEY_MEMBERS } from '../../cli/import/portkey/members.ts';
import { ROOT } from '../source-tree.ts';

it.each([
  ['LiteLLM', MEMBERS],
  ['Portkey', PORTKEY_MEMBERS],
])(
  'the members of the configuration of %s are those of the command, with what becomes of each',
  (name, members) => {
    const page = readFileSync(join(ROOT, 'docs/migrate.md'), 'utf8');
    const [, after = ''] = page.split(`## Every member of ${name}'s configuration`);
    const [table = ''] = after.split('\n## ');
    const rows = [...table.matchAll(/^\| `([A-Za-z0-9_.]+)` \| (.*) \|$/gm)].map(([, path, text]) => [
      path,
      text,
    ]);
    expect(rows).toEqual(Object.entries(members).map(([path, text]) => [path, text ?? 'taken']));
  },
);
