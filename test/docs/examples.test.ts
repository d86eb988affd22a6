// Every settings file and every block of settings in the documentation is one that the schemas take and that printing keeps.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { parseYaml } from '../../adapters/yaml/parse-yaml.ts';
import { printYaml } from '../../adapters/yaml/print-yaml.ts';
import { readSettingsFiles } from '../../cli/settings/read-with-overlays.ts';
import { renderDiagnostic, type SourceDocument } from '../../core/admin/diagnostic.ts';
import { type ValidationContext, validateDocuments } from '../../core/admin/validate/documents.ts';
import { mergeOverlay } from '../../core/admin/validate/overlays.ts';
import { kindOf, readDocuments } from '../../core/admin/validate/read-documents.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const examples = globSync('examples/**/*.yaml', { cwd: root }).toSorted();
const pages = ['README.md', ...globSync('{docs,examples}/**/*.md', { cwd: root })].toSorted();

/** Blocks of YAML with lines above them kept empty, so that diagnostics point at lines of the page. */
function blocksOf(page: string): { readonly name: string; readonly text: string }[] {
  const text = read(page);
  return [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    return { name: `${page}:${line}`, text: '\n'.repeat(line) + (match[1] ?? '') };
  });
}

/** Documents on something else, such as a workflow of a build, are none of ours. */
function settingsOf(file: string, text: string): SourceDocument[] {
  const { documents, diagnostics } = parseYaml(file, text);
  const isSettings = /^(?:organization|neuron):/m.test(text);
  if (isSettings) expect(diagnostics.map(renderDiagnostic)).toEqual([]);
  return isSettings ? [...documents] : [];
}

/** An overlay has parts of settings, and begins with the name of its file. */
function isOverlay({ text }: { readonly text: string }): boolean {
  return text.trimStart().startsWith('# overlays/');
}

/** What an overlay of the documentation is merged over. */
const OVERLAID = `
organization: acme
providers:
  demo: { type: echo }
  ai: { type: openai, baseUrl: https://api.openai.com/v1, apiKey: { secret: key }, timeout: 30s }
---
neuron: acme/support
access: { apiKey: true }
flow: [{ callModel: { provider: ai, model: gpt-4.1-mini } }]
`;

function expectTakenAndKept(documents: readonly SourceDocument[]): void {
  expect(documents.map(kindOf)).not.toContain(undefined);
  expect(readDocuments(documents).errors.map(renderDiagnostic)).toEqual([]);
  const printed = parseYaml('printed', printYaml(documents.map(({ value }) => value)));
  expect(printed.diagnostics).toEqual([]);
  expect(printed.documents.map(({ value }) => value)).toEqual(documents.map(({ value }) => value));
}

function validate(documents: readonly SourceDocument[], stored: ValidationContext['stored']) {
  const stage = { maxDeadlineMs: 60_000, transferMode: 'STREAM' as const };
  return validateDocuments(documents, {
    ...stage,
    addresses: { allowLoopback: true },
    stored,
    complete: true,
  });
}

describe('blocks of settings in the documentation', () => {
  const blocks = pages.flatMap(blocksOf);

  it('are found at all', () => {
    expect(blocks.flatMap(({ name, text }) => settingsOf(name, text)).length).toBeGreaterThanOrEqual(2);
  });

  test.each(blocks.filter((block) => !isOverlay(block)).map(({ name, text }) => [name, text]))(
    '%s is taken and printed unchanged',
    (name, text) => {
      expectTakenAndKept(settingsOf(name, text));
    },
  );

  test.each(blocks.filter(isOverlay).map(({ name, text }) => [name, text]))(
    '%s is an overlay of settings like it',
    (name, text) => {
      const base = parseYaml('base', OVERLAID).documents;
      const { documents, diagnostics } = mergeOverlay(base, settingsOf(name, text), true);
      expect(diagnostics.map(renderDiagnostic)).toEqual([]);
      expect(documents.map(({ value }) => value)).not.toEqual(base.map(({ value }) => value));
      expectTakenAndKept(documents);
    },
  );
});

describe('settings files of the examples', () => {
  it('are found at all', () => expect(examples).toContain('examples/acme.yaml'));

  test.each(examples)('%s is taken and printed unchanged', (file) => {
    expectTakenAndKept(settingsOf(file, read(file)));
  });

  it('are all that `npm start` applies: a workflow among them would stop it', () => {
    const { files, diagnostics } = readSettingsFiles(['examples/'], root);
    expect(diagnostics.map(renderDiagnostic)).toEqual([]);
    expect(files).toEqual(examples);
  });

  it('can be applied to the local run together, without a warning', () => {
    const documents = examples.flatMap((file) => settingsOf(file, read(file)));
    const { diagnostics } = validate(documents, new Map());
    expect(diagnostics.map(renderDiagnostic)).toEqual([]);
  });
});
