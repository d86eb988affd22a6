// The site of the documentation: each page is there, and each link of it leads to a file or a section of the site.
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SOURCES = 'https://git.example/neurons/blob/main';
const run = promisify(execFile);
const eleventy = join(ROOT, 'node_modules', '@11ty', 'eleventy', 'cmd.cjs');
let site = '';

async function build(environment: NodeJS.ProcessEnv): Promise<string> {
  const folder = temporaryFolder();
  const args = [eleventy, '--quiet', '--config=bin/site/config.ts', `--output=${folder}`];
  await run(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...environment } });
  return folder;
}

const read = (path: string) => readFileSync(join(site, path), 'utf8');
const decodeEntities = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
const valuesOf = (html: string, attribute: string) =>
  [...html.matchAll(new RegExp(`<[^>]*\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    decodeEntities(value),
  );

/** Links of a page that lead nowhere on the site. */
function brokenLinksOf(page: string): string[] {
  const html = read(page);
  return [...valuesOf(html, 'href'), ...valuesOf(html, 'src')].filter((link) => {
    if (/^(?:https?|mailto):/.test(link)) return false;
    const [path = '', section] = decodeURI(link).split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(site, target)) || statSync(join(site, target)).isDirectory()) return true;
    return (
      section !== undefined && target.endsWith('.html') && !valuesOf(read(target), 'id').includes(section)
    );
  });
}

beforeAll(async () => {
  site = await build({ NEURON_SITE_SOURCES: undefined });
}, 60_000);

describe('the site of the documentation', () => {
  it('has a page for each page of the repository', () => {
    const pages = globSync(['README.md', '{docs,examples}/**/*.md'], { cwd: ROOT });
    expect(pages.length).toBeGreaterThan(100);
    const paths = pages.map((page) => page.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
    expect(paths.filter((path) => !existsSync(join(site, path)))).toEqual([]);
    expect(globSync('**/{node_modules,test}/**/*.html', { cwd: site })).toEqual([]);
  });

  it('leads from each page to files and sections that are there', () => {
    const pages = globSync('**/*.html', { cwd: site, exclude: ['examples/browser/**'] });
    expect(pages.flatMap((page) => brokenLinksOf(page).map((link) => `${page}: ${link}`))).toEqual([]);
    expect(brokenLinksOf('index.html')).toEqual([]);
  });

  it('would find a link into nothing', () => {
    const links = valuesOf('<a href="a.html#b">', 'href');
    expect(links).toEqual(['a.html#b']);
    expect(valuesOf(read('docs/logs.html'), 'href')).toContain('../index.html');
    expect(read('docs/logs.html')).toContain('aria-current="page"');
  });

  it('has every part and page of docs/README.md beside each page, by its heading', () => {
    const page = read('docs/decisions/0004-line-then-entry.html');
    expect(page).toContain('<h2>Write settings</h2>');
    expect(page).toContain('<a href="../logs.html">Logs</a>');
    expect(valuesOf(page, 'href')).toContain('../../site.css');
  });

  it('keeps braces of templates as they are written', () => {
    const written = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8').match(/\{\{[^}]*\}\}/g) ?? [];
    const shown = read('docs/settings.html').match(/\{\{[^}]*\}\}/g) ?? [];
    expect(written.length).toBeGreaterThan(0);
    expect(shown).toEqual(written.map((one) => one.replaceAll('"', '&quot;')));
  });

  it('has no script, and takes nothing from elsewhere', () => {
    const pages = globSync('**/*.html', { cwd: site, exclude: ['examples/browser/**'] });
    expect(pages.filter((page) => /<script|<[^>]+\ssrc="https?:|<link[^>]+https?:/.test(read(page)))).toEqual(
      [],
    );
  });

  it('links to sources where it is told where they are, and to none where it is not', async () => {
    expect(read('docs/local.html')).not.toContain('href="../local/');
    site = await build({ NEURON_SITE_SOURCES: SOURCES });
    const links = globSync('**/*.html', { cwd: site }).flatMap((page) => valuesOf(read(page), 'href'));
    const sources = links
      .filter((link) => link.startsWith(SOURCES))
      .map((link) => link.slice(SOURCES.length + 1));
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((path) => !existsSync(join(ROOT, path.split('#')[0] ?? '')))).toEqual([]);
  }, 60_000);
});
