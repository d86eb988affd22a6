// Holds `local/` apart: a package that knows nothing of this repository, and of which the repository knows one file.
import { describe, expect, it } from 'vitest';
import manifest from '../local/package.json' with { type: 'json' };
import root from '../package.json' with { type: 'json' };
import { type Import, readSources } from './source-tree.ts';

const TESTS = 'local/test/';
const own = readSources(['local']);
const others = readSources(['bin', 'lib', 'lambdas', 'core', 'adapters', 'cli', 'bench', 'examples', 'test']);
const dependencies: Readonly<Record<string, string>> = {
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
};
const ofTests: Readonly<Record<string, string>> = { ...dependencies, ...manifest.devDependencies };

describe('the package of the local run', () => {
  it('imports nothing of this repository, and no package that it does not declare, in its tests neither', () => {
    const isAllowed = (path: string, { target, specifier }: Import) => {
      if (target !== undefined)
        return target.startsWith('local/') && (path.startsWith(TESTS) || !target.startsWith(TESTS));
      return specifier.startsWith('node:') || specifier in (path.startsWith(TESTS) ? ofTests : dependencies);
    };
    const foreign = own.flatMap(({ path, imports }) =>
      imports.filter((one) => !isAllowed(path, one)).map(({ specifier }) => `${path} → ${specifier}`),
    );
    expect(foreign).toEqual([]);
  });

  it('is imported by its name alone, which leads to its one public file', () => {
    const imports = others.flatMap(({ path, imports: all }) => all.map((one) => ({ path, ...one })));
    const inside = imports.filter(
      ({ specifier, target }) => target?.startsWith('local/') || specifier.startsWith(`${manifest.name}/`),
    );
    const foreign = inside.filter(({ target }) => target !== 'local/package.json');
    expect(foreign.map(({ path, specifier }) => `${path} → ${specifier}`)).toEqual([]);
    expect(imports.some(({ specifier }) => specifier === manifest.name)).toBe(true);
    expect(manifest.exports['.']).toBe('./index.ts');
  });

  it('declares exact versions, those of the repository where both use a package', () => {
    const ofRoot: Readonly<Record<string, string>> = {
      ...root.dependencies,
      ...root.devDependencies,
      ...root.optionalDependencies,
    };
    for (const [name, version] of Object.entries(ofTests)) {
      expect(`${name} ${version}`).toMatch(/ \d+\.\d+\.\d+$/);
      expect(`${name} ${ofRoot[name] ?? version}`).toBe(`${name} ${version}`);
    }
  });
});
