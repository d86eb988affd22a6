// The table of fields in docs/openai.md is that of the code, and the version it names is that of the schema it was held against.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../adapters/yaml/parse-yaml.ts';
import { ROUTES, ROUTES_BELOW_BASE } from '../../core/contract/routes.ts';
import { HARMLESS_VALUES, OPENAI_FIELDS } from '../../core/surfaces/openai/fields.ts';
import { PUBLISHED_VERSION } from '../core/surfaces/openai/published-schema.ts';
import { ROOT } from '../source-tree.ts';

const read = (name: string) => readFileSync(join(ROOT, `docs/${name}.md`), 'utf8');
const page = read('openai');
/** With the lines of agents. */
const pages = page + read('agents');
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

const blocks = [...pages.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));

describe('the lines in docs/openai.md and docs/agents.md', () => {
  it('have a base URL that is there, or a route below one', () => {
    const urls = [...pages.matchAll(/http:\/\/127\.0\.0\.1:3000(\/v1\/[^\s"'`,;]*)/g)].map(
      ([, path = '']) => path,
    );
    expect(urls.length).toBeGreaterThan(10);
    const paths = ROUTES.map(({ path }) => path.replace('{organization}', 'acme'));
    const isBase = (path: string) => /^\/v1\/acme(\/[a-z]+)?$/.test(path);
    const isRoute = (path: string) =>
      paths.some((one) => path === one.replace('{neuron}', 'dialog')) && !path.includes('{');
    expect(urls.filter((path) => !isBase(path) && !isRoute(path))).toEqual([]);
  });

  it('name neurons of the examples, as the key of an organization finds them', () => {
    const files = ['acme', 'agent', 'conversations', 'embeddings', 'private'];
    const examples = files
      .map((name) => readFileSync(join(ROOT, `examples/${name}.yaml`), 'utf8'))
      .join('\n');
    const lines = blocks.filter(({ kind }) => kind !== 'yaml').map(({ text }) => text);
    const named = lines.flatMap((text) =>
      [
        ...text.matchAll(
          /(?:\bmodel"?[:=] ?|provider\(|textEmbeddingModel\(|openai\/)["']?(?:acme\/)?([a-z]+)["' ),]/g,
        ),
      ].map(([, name]) => name),
    );
    const slugs = new Set(named.filter((name) => !['neuron', 'openai'].includes(name ?? '')));
    expect([...slugs].toSorted()).toEqual(['coder', 'dialog', 'hello', 'vectors']);
    for (const slug of slugs) expect(examples).toContain(`neuron: acme/${slug}\n`);
  });

  it('are valid JSON and YAML', () => {
    const json = blocks.filter(({ kind }) => kind === 'json');
    const yaml = blocks.filter(({ kind }) => kind === 'yaml');
    expect([json.length, yaml.length]).toEqual([1, 6]);
    for (const { text } of json) expect(() => JSON.parse(text)).not.toThrow();
    for (const { text } of yaml) expect(parseYaml('page.yaml', text)).toMatchObject({ diagnostics: [] });
  });

  it('say of each program whether they were run', () => {
    const programs = page.split(/^## /m).filter((each) => /^(?:Chat pages|Frameworks)\n/.test(each));
    expect(programs).toHaveLength(2);
    const said = programs
      .flatMap((each) => each.replace(/^```[\s\S]*?^```$/gm, '').split('\n\n'))
      .filter((paragraph) =>
        /^(?:Open WebUI|LibreChat|Node|Python|LangChain|Vercel|Anthropic)/.test(paragraph.trim()),
      );
    expect(said).toHaveLength(7);
    for (const paragraph of said) expect(paragraph).toMatch(/(?:\d+\.\d+\.\d+,|, not) run\b/);
  });

  it('list every route below a base URL', () => {
    const table = page.split(/^## /m).find((each) => each.startsWith('Routes\n')) ?? '';
    const listed = [...table.matchAll(/`((?:POST|GET) [^`]+)`/g)].map(([, route = '']) =>
      route.replace('{id}', '{model}'),
    );
    expect(listed.toSorted()).toEqual([...ROUTES_BELOW_BASE].toSorted());
  });
});
