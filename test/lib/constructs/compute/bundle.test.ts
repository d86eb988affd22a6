// The bundles: one file each, with everything in it, within the budgets of the design.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { type Node, parse } from 'acorn';
import { full } from 'acorn-walk';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../../../lib/app.ts';
import { writeBundle } from '../../../../lib/constructs/compute/bundle.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const KIB = 1024;
const folder = temporaryFolder();

const bundles = [
  { name: 'authorizer', entry: 'lambdas/authorizer/handler.ts', budget: 420 * KIB },
  { name: 'execute', entry: 'lambdas/execute/handler.ts', budget: 540 * KIB },
  { name: 'rollup', entry: 'lambdas/rollup/handler.ts', budget: 240 * KIB },
].map((each) => {
  const file = join(folder, each.name, 'index.mjs');
  writeBundle(each.entry, file);
  return { ...each, file };
});

/** What a module imports, read by a parser: messages of the SDK speak of imports too. */
function importsOf(code: string): string[] {
  const names: string[] = [];
  full(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node: Node) => {
    const { source } = node as Node & { readonly source?: { readonly value?: unknown } | null };
    if (source?.value !== undefined && /^(?:Import|Export)/.test(node.type)) names.push(String(source.value));
  });
  return names;
}

describe.each(bundles)('the bundle of $name', ({ file, budget, entry }) => {
  it('stays within its budget', () => {
    expect(statSync(file).size).toBeLessThanOrEqual(budget);
  });

  it('imports only modules of Node', () => {
    const foreign = importsOf(readFileSync(file, 'utf8')).filter((name) => !isBuiltin(name));
    expect(foreign).toEqual([]);
  });

  it('has no list of public suffixes, which only validation needs', () => {
    expect(readFileSync(file, 'utf8')).not.toMatch(/isIcann|publicSuffix/);
  });

  it('is the same file every time', () => {
    const again = join(folder, 'again', entry);
    writeBundle(entry, again);
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
  });
});

describe('the assembly', () => {
  it('contains a bundle for each function, named by its hash', () => {
    const outdir = join(folder, 'assembly');
    buildApp({ stage: 'dev', outdir, checks: false }).synth();
    const template = JSON.parse(readFileSync(join(outdir, 'NeuronApi-dev.template.json'), 'utf8'));
    const functions = Object.values<{ Type: string; Properties: { Handler: string }; Metadata: object }>(
      template.Resources,
    ).filter(({ Type }) => Type === 'AWS::Lambda::Function');
    const assets = functions.map(
      ({ Metadata }) => (Metadata as { 'aws:asset:path': string })['aws:asset:path'],
    );
    expect(new Set(assets).size).toBe(3);
    for (const [index, asset] of assets.entries()) {
      expect(readdirSync(join(outdir, asset))).toEqual(['index.mjs']);
      const written = readFileSync(join(outdir, asset, 'index.mjs'));
      expect(written.equals(readFileSync(bundles[index]!.file))).toBe(true);
    }
    expect(functions.map(({ Properties }) => Properties.Handler)).toEqual([
      'index.handler',
      'index.handler',
      'index.handler',
    ]);
  });
});
