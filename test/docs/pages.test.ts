// The documentation as a whole: no page that nobody finds, no link into nothing, no package without its reason.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseStage } from '../../lib/config/config.ts';
import { prod } from '../../lib/stages/prod.ts';
import local from '../../local/package.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };
import { ROOT } from '../source-tree.ts';

const pages = [
  'README.md',
  'client/README.md',
  'local/README.md',
  ...globSync('{docs,examples}/**/*.md', { cwd: ROOT }),
].toSorted();
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** Where a page points to, without the section, from the root; addresses of the web are left out. */
function linksOf(page: string): string[] {
  return [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) =>
    join(dirname(page), target ?? ''),
  );
}

/** Where a page points to within a page, such as `docs/logs.md#seals`. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].map(([, target, section]) => {
    const at = target === '' ? page : join(dirname(page), target ?? '');
    return `${at}#${section}`;
  });
}

/** The anchors that GitHub gives to the headings of a page. */
function headingsOf(page: string): string[] {
  const withoutCode = read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...withoutCode.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');
    return `${page}#${words.replaceAll(' ', '-')}`;
  });
}

const MAX_LINE_LENGTH = 120;

/** Lines that are too long to be read in a terminal or a review. A row of a table cannot be broken. */
function longLinesOf(text: string): string[] {
  return text.split('\n').filter((line) => [...line].length > MAX_LINE_LENGTH && !line.startsWith('|'));
}

describe('the documentation', () => {
  it.each(pages)('has no line of more than 120 characters in %s', (page) => {
    expect(longLinesOf(read(page))).toEqual([]);
  });

  it('would be caught with a long line, also in a block of code', () => {
    const long = 'x'.repeat(MAX_LINE_LENGTH + 1);
    expect(longLinesOf(`${long.slice(1)}\n| ${long} |\n\`\`\`sh\n${long}\n\`\`\`\n`)).toEqual([long]);
  });

  it('has no code on the line that begins its block', () => {
    const glued = pages.flatMap((page) =>
      read(page)
        .split('\n')
        .filter((line) => /^\s*```\w* +\S/.test(line))
        .map((line) => `${page}: ${line.slice(0, 60)}`),
    );
    expect(glued).toEqual([]);
  });

  it('links to files that are there', () => {
    const links = pages.flatMap((page) => linksOf(page).map((target) => ({ page, target })));
    expect(links.length).toBeGreaterThan(100);
    // Proofs are written by .ci/deep, hours after the page that speaks of them.
    const mustExist = links.filter(({ target }) => !target.startsWith('docs/proof/'));
    expect(mustExist.filter(({ target }) => !existsSync(join(ROOT, target)))).toEqual([]);
  });

  it('links to sections that are there', () => {
    const headings = new Set(pages.flatMap(headingsOf));
    const links = pages.flatMap((page) => anchorsOf(page).map((anchor) => ({ page, anchor })));
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ anchor }) => !headings.has(anchor))).toEqual([]);
  });

  it('has every page of docs in docs/README.md, which the README names', () => {
    const inDocs = pages.filter((page) => /^docs\/[a-z-]+\.md$/.test(page));
    expect(inDocs.length).toBeGreaterThan(25);
    expect(inDocs.filter((page) => !linksOf('docs/README.md').includes(page))).toEqual([]);
    expect(linksOf('README.md')).toContain('docs/README.md');
  });

  it('explains every stage setting', () => {
    const text = read('docs/deploy.md');
    expect(Object.keys(parseStage(prod)).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('gives every package its reason', () => {
    const { dependencies, peerDependencies, devDependencies, optionalDependencies } = packageJson;
    const named = {
      ...dependencies,
      ...peerDependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...local.dependencies,
      ...local.optionalDependencies,
    };
    const text = read('docs/dependencies.md');
    expect(Object.keys(named).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
