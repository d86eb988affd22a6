// Links and headings of a page as they are on the site.
import { posix } from 'node:path';

interface Token {
  readonly type: string;
  readonly content: string;
  readonly children: readonly Token[] | null;
  attrs: readonly (readonly [string, string])[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** The part of markdown-it that is used here. https://markdown-it.github.io/markdown-it/ */
export interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } };
}
interface State {
  readonly tokens: readonly Token[];
  readonly env: { readonly page: { readonly inputPath: string } };
}

const PAGE =
  /^(?:README|CHANGELOG|CONTRIBUTING|SECURITY|CODE_OF_CONDUCT|(?:client|local|docs|examples)\/.+)\.md$/;

/** Whether the Markdown file at `path`, from the root, is a page of the site. */
export function isPage(path: string): boolean {
  return PAGE.test(path);
}

/** Where a page is on the site: docs/logs.html for docs/logs.md, docs/index.html for docs/README.md. */
export function pathOfPage(path: string): string {
  return path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
}

/** Where the sources are, such as `https://git.example/neurons/blob/main`; without it, links to them are plain text. */
const SOURCES = process.env['NEURON_SITE_SOURCES'];

/** The files besides pages that the site has, for links to them. */
const COPIED = /^(?:docs|examples)\/.+\.\w+$/;

/** The address of a link on the site; undefined for one that leads nowhere there. */
function addressOf(link: string, page: string): string | undefined {
  const [path = '', section] = link.split('#');
  if (path === '' || /^[a-z]+:/i.test(path)) return link;
  const target = posix.join(posix.dirname(page), path);
  const hash = section === undefined ? '' : `#${section}`;
  if (isPage(target)) return pathOfPage(path) + hash;
  if (COPIED.test(target)) return link;
  return SOURCES === undefined ? undefined : `${SOURCES}/${target}${hash}`;
}

/** A link without an address is text, which keyboards do not reach. https://html.spec.whatwg.org/multipage/links.html */
function rewriteLink(token: Token, page: string) {
  const address = addressOf(decodeURI(token.attrGet('href') ?? ''), page);
  if (address === undefined) token.attrs = null;
  else token.attrSet('href', encodeURI(address));
}

/** The id that GitHub gives to a heading, so that a section has one name wherever a page is read. */
function idOf(heading: string, taken: Map<string, number>): string {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');
  const id = words.replaceAll(' ', '-');
  const earlier = taken.get(id) ?? 0;
  taken.set(id, earlier + 1);
  return earlier === 0 ? id : `${id}-${earlier}`;
}

function textOf(token: Token): string {
  return (token.children ?? [])
    .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''))
    .join('');
}

/** Gives each heading its id, and each link its address on the site. */
export function writeLinksAndHeadings(library: Markdown) {
  library.core.ruler.push('links-and-headings', ({ tokens, env }) => {
    const page = env.page.inputPath.replace(/^\.\//, '');
    const taken = new Map<string, number>();
    tokens.forEach((token, index) => {
      const content = tokens[index + 1];
      if (token.type === 'heading_open' && content) token.attrSet('id', idOf(textOf(content), taken));
      for (const child of token.children ?? []) if (child.type === 'link_open') rewriteLink(child, page);
    });
  });
}
