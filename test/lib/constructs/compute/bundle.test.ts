// The bundles: everything is in them, what loads at start is within the budgets of the design, and no file waits for another.
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { type Node, type Program, parse } from 'acorn';
import { ancestor, simple } from 'acorn-walk';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../../../lib/app.ts';
import { writeBundle } from '../../../../lib/constructs/compute/bundle.ts';
import { importsOf, readBundle, sizesOf } from '../../../support/bundle-files.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const KIB = 1024;
const folder = temporaryFolder();

/** Budgets of what is loaded at start, and of all of it, in KiB. What comes near one is looked at before it is raised: every cold start loads the first. */
const bundles = [
  { name: 'authorizer', entry: 'lambdas/authorizer/handler.ts', budget: 320, whole: 360 },
  { name: 'execute', entry: 'lambdas/execute/handler.ts', budget: 480, whole: 1_084 },
  { name: 'rollup', entry: 'lambdas/rollup/handler.ts', budget: 300, whole: 350 },
  { name: 'rollouts', entry: 'lambdas/rollouts/handler.ts', budget: 280, whole: 320 },
  { name: 'heads', entry: 'lambdas/heads/handler.ts', budget: 240, whole: 240 },
  { name: 'archive', entry: 'lambdas/archive/handler.ts', budget: 280, whole: 280 },
].map((each) => {
  const output = join(folder, each.name);
  writeBundle(each.entry, output);
  return { ...each, output, files: readBundle(output) };
});

const trees = new Map<string, Program>();

/** The syntax of a module, parsed once. */
function treeOf(code: string): Program {
  const tree = trees.get(code) ?? parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  trees.set(code, tree);
  return tree;
}

/** Whether a module waits for something before it is loaded. */
function hasTopLevelAwait(code: string): boolean {
  let found = false;
  const look = (_node: Node, _state: unknown, ancestors: Node[]) => {
    found ||= !ancestors.some(({ type }) => /Function/.test(type));
  };
  ancestor(treeOf(code), { AwaitExpression: look });
  return found;
}

function usesRequire(code: string): boolean {
  let found = false;
  simple(treeOf(code), {
    Identifier: ({ name }) => {
      found ||= name === 'require';
    },
  });
  return found;
}

describe.each(bundles)('the bundle of $name', ({ files, budget, whole, entry, output }) => {
  it('stays within its budgets', () => {
    const { start, all } = sizesOf(files);
    expect(start).toBeLessThanOrEqual(budget * KIB);
    expect(all).toBeLessThanOrEqual(whole * KIB);
  });

  it('loads two files at start, however many it may load later', () => {
    expect(files.filter(({ atStart }) => atStart)).toHaveLength(2);
  });

  it('imports only modules of Node and files of its own, each named by a constant', () => {
    const own = new Set(files.map(({ name }) => `./${name}`));
    const imported = files.flatMap(({ code }) => importsOf(code).map(({ name }) => name));
    expect(imported.filter((name) => !isBuiltin(name) && !own.has(name))).toEqual([]);
    expect([...own].filter((name) => name !== './index.mjs' && !imported.includes(name))).toEqual([]);
  });

  it('asks for no module of CommonJS, which an ECMAScript module cannot load', () => {
    expect(usesRequire('const { parse } = require("./parse.cjs");')).toBe(true);
    expect(files.filter(({ code }) => usesRequire(code)).map(({ name }) => name)).toEqual([]);
  });

  it('waits for nothing while it loads: a file that is loaded later imports those of the start, and both would wait for ever', () => {
    expect(hasTopLevelAwait('await import("./later.mjs");')).toBe(true);
    expect(files.filter(({ code }) => hasTopLevelAwait(code)).map(({ name }) => name)).toEqual([]);
  });

  it('never imports node:http at start, which loads undici with it: adapters/http/node-http.ts', () => {
    const imports = files.flatMap(({ code }) => importsOf(code)).filter(({ lazy }) => !lazy);
    expect(imports.filter(({ name }) => /^(node:)?http$/.test(name))).toEqual([]);
  });

  it('has no list of public suffixes, which only validation needs', () => {
    for (const { code } of files) expect(code).not.toMatch(/isIcann|publicSuffix/);
  });

  it('is the same every time', () => {
    const again = join(folder, 'again', entry);
    writeBundle(entry, again);
    expect(readBundle(again)).toEqual(files);
    expect(readdirSync(again)).toEqual(readdirSync(output));
  });
});

describe('what the execution function loads later', () => {
  const { files } = bundles[1]!;
  it.each([
    ['the engine of patterns', /static FOLD_CASE/],
    ['the validator of JSON Schema', /the schema was not checked/],
    ['the client of Secrets Manager', /GetSecretValue/],
    ['the provider of type anthropic', /"anthropic-version":/],
    ['the provider of type bedrock', /"converse"/],
    ['the semantic search', /is no hit/],
    ['the surface of Responses', /response\.output_text\.delta/],
    ['the surface of Messages', /content_block_delta/],
  ])('is %s', (_what, mark) => {
    const holders = files.filter(({ code }) => mark.test(code));
    expect(holders.length).toBeGreaterThan(0);
    expect(holders.filter(({ atStart }) => atStart)).toEqual([]);
  });
});

describe('the assembly', () => {
  it('contains a bundle for each function, named by its hash', () => {
    const outdir = join(folder, 'assembly');
    buildApp({ stage: 'dev', outdir }).synth();
    const template = JSON.parse(readFileSync(join(outdir, 'NeuronApi-dev.template.json'), 'utf8'));
    const functions = Object.values<{ Type: string; Properties: { Handler: string }; Metadata: object }>(
      template.Resources,
    ).filter(({ Type }) => Type === 'AWS::Lambda::Function');
    const assets = functions.map(
      ({ Metadata }) => (Metadata as { 'aws:asset:path': string })['aws:asset:path'],
    );
    expect(new Set(assets).size).toBe(5);
    for (const [index, asset] of assets.entries()) {
      expect(readBundle(join(outdir, asset))).toEqual(bundles[index]!.files);
    }
    expect(functions.map(({ Properties }) => Properties.Handler)).toEqual([
      'index.handler',
      'index.handler',
      'index.handler',
      'index.handler',
      'index.handler',
    ]);
  });
});
