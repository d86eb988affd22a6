// Every page, change and empty state of the console's sources is looked at in Chromium by one of its end-to-end tests.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../cli/console/operations.ts';
import { PAGES } from '../../../console/data/paths.ts';
import { CONSOLE_STATES } from '../../e2e/support/console-states.ts';
import { readSources } from '../../source-tree.ts';

const sources = readSources(['console']);
const app = readFileSync('console/app.tsx', 'utf8');
const stated = (kind: 'pages' | 'changes' | 'empty') =>
  new Set(
    Object.values(CONSOLE_STATES).flatMap((states): readonly string[] =>
      kind in states ? states[kind as never] : [],
    ),
  );

it('names every page, and no other', () => {
  const routes = [...app.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(
    PAGES.map(({ name }) => `/o/:organization/${name}`).filter((path) => !routes.includes(path)),
  ).toEqual([]);
  expect(stated('pages')).toEqual(new Set(['/', 'default', ...routes]));
});

it('names every operation that changes or runs something, and no other', () => {
  const changes = Object.entries(OPERATIONS).filter(([, { changes: does }]) => does);
  expect(stated('changes')).toEqual(new Set(changes.map(([name]) => name)));
});

it('names every empty state, and no other', () => {
  // The title of each `Empty`, up to its end: one text, or those of a condition.
  const titles = sources.flatMap(({ text }) =>
    [...text.matchAll(/<Empty\s+title=("[^"]*"|\{[\s\S]*?(?:`|')\s*\})/g)].map(([, title]) => title ?? ''),
  );
  const used = sources.flatMap(({ text }) => [...text.matchAll(/<Empty\b/g)]).length;
  expect(titles).toHaveLength(used);
  const texts = titles.flatMap((title) =>
    [...title.matchAll(/["'`]([A-Z$][^"'`]*\.)["'`]/g)].map(([, one]) => one ?? ''),
  );
  expect(stated('empty')).toEqual(new Set(texts.map((text) => text.replaceAll(/\$\{[^}]*\}/g, '…'))));
});
