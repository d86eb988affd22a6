// `npm run build:comment`: makes docs/test-comment.png, the Markdown of `neuron test` as a comment on a pull request, from a run of the command.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from '../e2e/support/chromium.ts';
import { runNode } from '../e2e/support/command.ts';
import { ROOT } from '../source-tree.ts';

const PICTURE = join(ROOT, 'docs', 'test-comment.png');

const settings = (prompt: string) => `organization: acme
providers: { demo: { type: echo } }
---
neuron: acme/support
flow: [{ callModel: { provider: demo, model: echo-1, prompt: '${prompt} {{input}}' } }]
`;

/** The last case has what a caller would like to put into a comment. */
const TESTS = `tests: acme/support
repeat: 3
cases:
  - { name: opening hours, input: When do you open?, assert: [{ type: icontains, value: open }] }
  - { name: one sentence, input: Do you repair lamps?, assert: [{ type: contains, value: In one sentence }] }
  - { name: languages, input: Sprechen Sie Deutsch?, assert: [{ type: contains, value: Deutsch }] }
  - { name: returns, input: May I return a lamp?, assert: [{ type: not-contains, value: never }] }
  - name: markup of a caller
    input: '<img src="https://evil.example/x.png"> [click](https://evil.example) @everyone | \`\`\` </td>'
    assert: [{ type: contains, value: In one sentence }]
`;

/** What the workflow of examples/pipeline posts. */
export async function makeComment(folder: string): Promise<string> {
  for (const [name, prompt] of [
    ['main', 'In one sentence:'],
    ['branch', 'At length:'],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'settings.yaml'), settings(prompt));
  }
  const write = (name: string) => writeFileSync(join(folder, name, 'tests.yaml'), TESTS);
  for (const name of ['main', 'branch']) write(name);
  const command = (...words: readonly string[]) =>
    runNode([join(ROOT, 'bin/neuron.js'), 'test', ...words], { folder, environment: { CI: '' } });
  await command('main');
  await command('branch', '--against', 'main', '--markdown', 'tests.md');
  return readFileSync(join(folder, 'tests.md'), 'utf8');
}

interface Renderer {
  render(markdown: string): string;
}

/** As GitHub does it: tables, HTML and bare addresses. The renderer is that of the site. */
export function renderComment(markdown: string): string {
  const ofSite = createRequire(createRequire(import.meta.url).resolve('@11ty/eleventy'));
  const MarkdownIt = ofSite('markdown-it') as new (options: object) => Renderer;
  return new MarkdownIt({ html: true, linkify: true }).render(markdown);
}

const STYLE = `body { margin: 0; padding: 16px; font: 14px/1.5 -apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif; color: #1f2328 }
article { border: 1px solid #d1d9e0; border-radius: 6px; max-width: 900px }
header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e }
main { padding: 0 16px 16px } h2 { border-bottom: 1px solid #d1d9e0; padding-bottom: 6px }
table { border-collapse: collapse; display: block; overflow: auto } th, td { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left }
code { background: #818b981f; border-radius: 6px; font-size: 85%; padding: 2px 6px }
pre { background: #f6f8fa; border-radius: 6px; max-width: 360px; padding: 12px; white-space: pre-wrap } pre code { background: none; padding: 0 }`;

async function draw(markdown: string): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 960, height: 400 }, deviceScaleFactor: 1 });
    // Not every machine has a font with the mark that GitHub shows in colour.
    const opened = renderComment(markdown)
      .replaceAll('<details>', '<details open>')
      .replace('❌', '<span style="color: #d1242f">✖</span>');
    await page.setContent(
      `<!doctype html><style>${STYLE}</style><article><header>github-actions commented</header><main>${opened}</main></article>`,
    );
    await page.screenshot({ path: PICTURE, fullPage: true });
  } finally {
    await browser.close();
  }
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'neuron-comment-'));
  try {
    await draw(await makeComment(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
  process.stdout.write(`${PICTURE}\n`);
}
