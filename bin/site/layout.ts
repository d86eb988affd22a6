// The frame of each page of the site.
import { posix } from 'node:path';
import type { Part } from './contents.ts';
import { pathOfPage } from './markdown.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

function titleOf(content: string): string {
  return (
    /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(content)?.[1]?.replaceAll(/<[^>]+>/g, '') ?? 'Neuron Execution Service'
  );
}

function linkTo(path: string, page: string, title: string): string {
  const current = path === page ? ' aria-current="page"' : '';
  return `<li><a href="${posix.relative(posix.dirname(page), path)}"${current}>${escapeHtml(title)}</a></li>`;
}

function contentsFor(page: string, parts: readonly Part[]): string {
  const lists = parts.map(({ title, pages }) => {
    const links = pages.map((one) => linkTo(pathOfPage(posix.join('docs', one.page)), page, one.title));
    return `<h2>${escapeHtml(title)}</h2><ul>${links.join('')}</ul>`;
  });
  return `<ul>${linkTo('index.html', page, 'Neuron Execution Service')}</ul>${lists.join('')}`;
}

/** The document for the content of the page at `path`, with the contents of the site beside it. No script, nothing from elsewhere. */
export function layOut(path: string, content: string, parts: readonly Part[]): string {
  const styles = posix.relative(posix.dirname(path), 'site.css');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'">
<title>${titleOf(content)}</title>
<link rel="stylesheet" href="${styles}">
</head>
<body>
<details class="contents"><summary>Contents</summary><nav aria-label="Contents">${contentsFor(path, parts)}</nav></details>
<main>
${content}
</main>
</body>
</html>
`;
}
