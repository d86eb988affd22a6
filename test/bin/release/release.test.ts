// The papers of a release: notices of what is bundled, and the bill of materials.
import { describe, expect, it } from 'vitest';
import { packageOf } from '../../../bin/release/bundled-packages.ts';
import { readNotice, renderNotices } from '../../../bin/release/notices.ts';
import { type Bom, narrow } from '../../../bin/release/sbom.ts';

describe('the package of a file', () => {
  it.each([
    ['node_modules/zod/v4/mini/index.js', 'zod'],
    ['/a/node_modules/@smithy/core/dist/index.js', '@smithy/core'],
    ['node_modules/a/node_modules/b/index.js', 'b'],
    ['C:\\x\\node_modules\\@middy\\core\\index.js', '@middy/core'],
    ['core/async/lazy.ts', undefined],
  ])('%s is %s', (file, name) => {
    expect(packageOf(file)).toBe(name);
  });
});

describe('a notice', () => {
  it('has the name, the version and the text of a licence', () => {
    const { name, license, text } = readNotice('zod');
    expect(name).toMatch(/^zod \d+\.\d+\.\d+$/);
    expect(license).toBe('MIT');
    expect(text).toContain('Permission is hereby granted');
  });

  it('is shared by works with the same text', () => {
    const page = renderNotices([
      { name: 'a 1.0.0', license: 'MIT', text: 'The text.' },
      { name: 'b 2.0.0', license: 'MIT', text: 'The text.' },
    ]);
    expect(page.split('The text.')).toHaveLength(2);
    expect(page).toContain('a 1.0.0 (MIT)\nb 2.0.0 (MIT)\n');
  });
});

const component = (name: string, property?: string) => ({
  'bom-ref': name,
  name,
  version: '1.0.0',
  purl: `pkg:npm/${name.replace('@', '%40')}@1.0.0`,
  ...(property === undefined ? {} : { properties: [{ name: `cdx:npm:package:${property}`, value: 'true' }] }),
});

const BOM: Bom = {
  serialNumber: 'urn:uuid:1',
  metadata: { timestamp: '2026-11-27T00:00:00Z', component: component('folder-of-a-clone') },
  components: [
    component('zod'),
    component('@smithy/core'),
    component('vitest', 'development'),
    component('preact', 'development'),
    component('local', 'private'),
    component('of-vitest', 'development'),
  ],
  dependencies: [
    { ref: 'folder-of-a-clone', dependsOn: ['zod', '@smithy/core', 'vitest', 'preact', 'local'] },
    { ref: 'vitest', dependsOn: ['of-vitest'] },
    { ref: '@smithy/core', dependsOn: ['zod'] },
  ],
};

describe('the bill of materials', () => {
  it('has what is installed and what is bundled, without time and serial number', () => {
    const { serialNumber, metadata, components, dependencies } = narrow(BOM, ['preact', 'zod']);
    expect(components.map(({ name }) => name)).toEqual(['zod', '@smithy/core', 'preact']);
    expect(dependencies.map(({ ref }) => ref)).toEqual(['folder-of-a-clone', '@smithy/core']);
    expect(dependencies[0]?.dependsOn).toEqual(['zod', '@smithy/core', 'preact']);
    expect([serialNumber, metadata.timestamp]).toEqual([undefined, undefined]);
  });

  it('refuses to leave out what is bundled', () => {
    expect(() => narrow(BOM, ['d3'])).toThrow('npm sbom does not list what is bundled: d3.');
  });
});
