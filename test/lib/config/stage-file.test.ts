// Settings of a stage in a file of the operator's own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildApp, STAGES } from '../../../lib/app.ts';
import { StageError } from '../../../lib/config/stage-error.ts';
import { readStageFile } from '../../../lib/config/stage-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stubCode } from '../synthesized.ts';

const folder = temporaryFolder();

function write(text: string, name = 'stage.yaml'): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const read = (text: string) => readStageFile(write(text), folder, STAGES);

describe('a settings file', () => {
  it('replaces settings of production one by one, and takes away what is null', () => {
    expect(
      read('name: own\nmemoryMegabytes: 512\npeak: null\nalarms: { addresses: [a@example.com] }\n'),
    ).toEqual({
      ...Object.fromEntries(Object.entries(STAGES['prod']!).filter(([name]) => name !== 'peak')),
      name: 'own',
      memoryMegabytes: 512,
      alarms: { addresses: ['a@example.com'] },
    });
  });

  it('begins with the stage that it is like, and may be JSON', () => {
    expect(read('{ "like": "dev", "name": "own" }')).toEqual({ ...STAGES['dev'], name: 'own' });
  });

  it.each([
    ['name: own\nlike: prd\n', 'says like: prd, which is no stage; did you mean prod?'],
    [
      'name: own\nlike: toString\n',
      'says like: toString, which is no stage. Choose one of dev, local, prod.',
    ],
    ['memoryMegabytes: 512\n', 'has no name. Add a line such as name: prod'],
    ['- name: own\n', 'must hold the settings of one stage'],
    ['', 'must hold the settings of one stage'],
    ['name: own\n---\nname: other\n', 'must hold the settings of one stage'],
    ['name: &a own\nregion: *a\n', 'cannot be read:\n  stage.yaml:1:10: name: has an anchor'],
  ])('ends the synth with file and remedy: %j', (text, message) => {
    expect(() => read(text)).toThrow(StageError);
    expect(() => read(text)).toThrow(message);
  });

  it.each(['', 'missing.yaml'])('that is %j never deploys a default in its place', (path) => {
    expect(() => readStageFile(path, folder, STAGES)).toThrow(
      'Pass -c settings=FILE with a file that exists.',
    );
  });
});

describe('cdk -c settings=FILE', () => {
  afterEach(() => vi.unstubAllEnvs());

  const build = (context: Readonly<Record<string, string>>) => {
    vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify(context));
    return buildApp({ code: stubCode(), outdir: temporaryFolder() });
  };
  const pathOf = (text: string, name: string) => join(folder, write(text, name));

  it('makes the stacks of the stage in the file', () => {
    const app = build({ settings: pathOf('name: own\nlike: dev\n', 'own.yaml') });
    // With all checks on, which throw here.
    app.synth();
    expect(app.node.children.map(({ node }) => node.id).filter((id) => id.startsWith('Neuron'))).toEqual([
      'NeuronData-own',
      'NeuronApi-own',
    ]);
  });

  it('validates the settings as those in the sources', () => {
    const settings = pathOf('name: own\nlike: dev\nmemoryMegabyte: 512\n', 'wrong.yaml');
    expect(() => build({ settings })).toThrow(
      'memoryMegabyte: is not a stage setting; did you mean memoryMegabytes?',
    );
  });

  it('refuses the name of another stage beside it', () => {
    const settings = pathOf('name: own\nlike: dev\n', 'own.yaml');
    expect(() => build({ settings, stage: 'prod' })).toThrow(
      'is of the stage own, and the context stage is prod. Leave out -c stage.',
    );
    expect(() => build({ settings, stage: 'own' })).not.toThrow();
  });
});
