// Tests of finding a function's code.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAssembly } from '../../template/load.ts';
import { resolveStacks } from '../../template/resolve-stacks.ts';
import { folderWith, resolveSettings } from './assembly-on-disk.ts';

const functionWith = (resource: object) => ({
  Resources: { Fn: { Type: 'AWS::Lambda::Function', ...resource } },
});
const properties = (Code: unknown, Handler = 'index.handler') => ({ Properties: { Code, Handler } });

function pathOf(folder: string, inlineCodeFolder = '/nonexistent'): unknown {
  const [stack] = resolveStacks(loadAssembly(folder), resolveSettings({ inlineCodeFolder }));
  return stack?.resources[0]?.metadata['aws:asset:path'];
}

describe('the code of a function', () => {
  it('is where the metadata of the resource says', () => {
    const Metadata = { 'aws:asset:path': 'asset.1' };
    const resource = { ...properties({ S3Bucket: 'b', S3Key: '1.zip' }), Metadata };
    const folder = folderWith({ 's.template.json': functionWith(resource), 'asset.1/index.mjs': '' });
    expect(pathOf(folder)).toBe(join(folder, 'asset.1'));
  });

  it('is where the asset manifest says for its key, when the app was not run by the CDK command', () => {
    const folder = folderWith({
      'manifest.json': {
        artifacts: {
          S: { type: 'aws:cloudformation:stack', properties: { templateFile: 's.json' } },
          a: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
        },
      },
      's.json': functionWith(properties({ S3Bucket: 'b', S3Key: '1.zip' })),
      'assets.json': {
        files: { one: { source: { path: 'asset.1' }, destinations: { x: { objectKey: '1.zip' } } } },
      },
      'asset.1/index.js': '',
    });
    expect(pathOf(folder)).toBe(join(folder, 'asset.1'));
  });

  it('is a path in Code, from the folder of the template', () => {
    const template = functionWith(properties('./code', 'dist/app.handler'));
    const folder = folderWith({ 's.template.json': template, 'code/dist/app.cjs': '' });
    expect(pathOf(folder)).toBe(join(folder, 'code'));
  });

  it('is written to a file named index, when it is inline in the template', () => {
    const folder = folderWith({ 's.template.json': functionWith(properties({ ZipFile: 'exports.x = 1' })) });
    const path = pathOf(folder, join(folder, 'inline'));
    expect(path).toBe(join(folder, 'inline', 's-Fn'));
  });

  it.each([
    ['an asset without the handler: it was not bundled', { 'asset.1/package.json': '{}' }, 'is not bundled'],
    ['an asset that is an archive', { 'asset.1': 'PK' }, 'is not a folder'],
    ['an asset that is not there', {}, 'does not exist'],
  ])('refuses %s', (_what, files, message) => {
    const resource = { ...properties({}), Metadata: { 'aws:asset:path': 'asset.1' } };
    const folder = folderWith({ 's.template.json': functionWith(resource), ...files });
    expect(() => pathOf(folder)).toThrow(
      expect.objectContaining({ code: 'TEMPLATE_NOT_SUPPORTED', message: expect.stringContaining(message) }),
    );
    expect(() => pathOf(folder)).toThrow('s/Fn (AWS::Lambda::Function)');
  });

  it('refuses a function whose code is in no asset', () => {
    const folder = folderWith({ 's.template.json': functionWith(properties({ S3Key: 'elsewhere.zip' })) });
    expect(() => pathOf(folder)).toThrow('its code is in no asset');
  });
});
