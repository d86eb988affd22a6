// Tests of reading assemblies.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAssembly } from '../../template/load.ts';
import { folderWith } from './assembly-on-disk.ts';

const EMPTY = { Resources: {} };
const stack = (templateFile: string, more: object = {}) => ({
  type: 'aws:cloudformation:stack',
  environment: 'aws://unknown-account/unknown-region',
  properties: { templateFile },
  ...more,
});

describe('loadAssembly', () => {
  it('gives stacks in the order of their dependencies, whatever the order in the manifest', () => {
    const folder = folderWith({
      'manifest.json': {
        artifacts: {
          Api: stack('a.json', { dependencies: ['Data', 'Api.assets'] }),
          'Api.assets': { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
          Data: stack('d.json'),
        },
      },
      'a.json': EMPTY,
      'd.json': EMPTY,
      'assets.json': { files: {} },
    });
    expect(loadAssembly(folder).map(({ name }) => name)).toEqual(['Data', 'Api']);
  });

  it('uses the stack name and region of the app', () => {
    const folder = folderWith({
      'manifest.json': {
        artifacts: {
          Id: stack('t.json', {
            environment: 'aws://111122223333/eu-central-1',
            properties: { templateFile: 't.json', stackName: 'given' },
          }),
        },
      },
      't.json': EMPTY,
    });
    expect(loadAssembly(folder)).toMatchObject([{ name: 'given', region: 'eu-central-1' }]);
  });

  it('reads the stacks of stages, with the assets of each', () => {
    const folder = folderWith({
      'manifest.json': {
        artifacts: {
          Stage: { type: 'cdk:cloud-assembly', properties: { directoryName: 'assembly-Stage' } },
        },
      },
      'assembly-Stage/manifest.json': {
        artifacts: {
          Inner: stack('t.json'),
          assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
        },
      },
      'assembly-Stage/t.json': EMPTY,
      'assembly-Stage/assets.json': {
        files: { x: { source: { path: 'asset.x' }, destinations: { here: { objectKey: 'x.zip' } } } },
      },
    });
    const [inner] = loadAssembly(folder);
    expect(inner?.name).toBe('Inner');
    expect(inner?.assets.get('x.zip')).toBe(join(folder, 'assembly-Stage', 'asset.x'));
  });

  it('reads a folder without a manifest as templates written by hand', () => {
    const folder = folderWith({ 'b.template.json': EMPTY, 'a.template.json': EMPTY, 'notes.txt': 'x' });
    expect(loadAssembly(folder).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it.each([
    ['a folder that is not there', undefined, 'there is no such folder'],
    ['an empty folder', {}, 'it holds no stack'],
    ['a manifest that is no JSON', { 'manifest.json': '{' }, 'manifest.json cannot be read'],
    [
      'a template that is missing',
      { 'manifest.json': { artifacts: { A: stack('a.json') } } },
      'a.json cannot be read',
    ],
    [
      'a template without resources',
      { 'a.template.json': {} },
      'a.template.json: Resources is not an object',
    ],
    [
      'a resource without a type',
      { 'a.template.json': { Resources: { Thing: {} } } },
      'a.template.json: Thing has no Type',
    ],
    [
      'a template that wants to be transformed',
      { 'a.template.json': { Transform: 'AWS::Serverless-2016-10-31', Resources: {} } },
      'the section Transform is not supported',
    ],
    [
      'stacks that depend on each other',
      {
        'manifest.json': {
          artifacts: { A: stack('a', { dependencies: ['B'] }), B: stack('b', { dependencies: ['A'] }) },
        },
      },
      'A → B → A depend on each other',
    ],
  ])('refuses %s', (_what, files, message) => {
    const folder = files === undefined ? '/nonexistent/assembly' : folderWith(files);
    expect(() => loadAssembly(folder)).toThrow(
      expect.objectContaining({ code: 'ASSEMBLY_UNREADABLE', message: expect.stringContaining(message) }),
    );
  });
});
