// How Eleventy makes a site of the documentation: `npm run build:site` writes it into site/. https://www.11ty.dev/docs/config/
// A page keeps its path, with .html for .md and index.html for README.md: relative links then work at any address, and from files.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { contentsOf } from './contents.ts';
import { layOut } from './layout.ts';
import { isPage, type Markdown, pathOfPage, writeLinksAndHeadings } from './markdown.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const STYLES = 'bin/site/site.css';

interface Page {
  readonly inputPath: string;
}

/** The part of Eleventy's configuration that is used here. */
interface Configuration {
  readonly ignores: Set<string>;
  addGlobalData(name: string, value: unknown): void;
  addPassthroughCopy(paths: string | Readonly<Record<string, string>>): void;
  addTransform(name: string, transform: (this: { readonly page: Page }, content: string) => string): void;
  amendLibrary(name: 'md', amend: (library: Markdown) => void): void;
}

const readDocs = (page: string) => readFileSync(join(ROOT, 'docs', page), 'utf8');
const contents = contentsOf(readDocs('README.md'), readDocs);
const fromRoot = ({ inputPath }: Page) => inputPath.replace(/^\.\//, '');

export default function configure(configuration: Configuration) {
  // Issue forms and the like: pages that have no place in what a reader reads.
  for (const path of ['.github/**', 'node_modules/**', 'local/node_modules/**', '**/test/**', 'site/**'])
    configuration.ignores.add(path);
  configuration.addGlobalData('permalink', () => (data: { readonly page: Page }) => {
    const path = fromRoot(data.page);
    return isPage(path) ? pathOfPage(path) : false;
  });
  configuration.addPassthroughCopy({ [STYLES]: basename(STYLES) });
  configuration.addPassthroughCopy('{docs,examples}/**/*.{png,json,yaml,yml,html,css,js,mjs,ts}');
  configuration.amendLibrary('md', writeLinksAndHeadings);
  configuration.addTransform('layout', function (content) {
    return layOut(pathOfPage(fromRoot(this.page)), content, contents);
  });
  return { dir: { input: '.', output: 'site' }, templateFormats: ['md'], markdownTemplateEngine: false };
}
