// The table of members in docs/migrate.md is that of the command.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MEMBERS } from '../../cli/import/members.ts';
import { ROOT } from '../source-tree.ts';

it("the members of LiteLLM's configuration in docs/migrate.md are those of the command, with what becomes of each", () => {
  const page = readFileSync(join(ROOT, 'docs/migrate.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z0-9_.]+)` \| (.*) \|$/gm)].map(([, path, text]) => [path, text]);
  expect(rows).toEqual(Object.entries(MEMBERS).map(([path, text]) => [path, text ?? 'taken']));
});
