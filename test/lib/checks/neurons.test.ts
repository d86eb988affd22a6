// The settings files that a stage names: what `apply` refuses stops the synth, with file, line and remedy.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../../lib/app.ts';
import { validateNeurons } from '../../../lib/checks/neurons.ts';
import { defineStage } from '../../../lib/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const ACME = 'organization: acme\nproviders:\n  demo: { type: echo }\n';
const HELLO =
  'neuron: acme/hello\naccess: { public: true }\nflow:\n  - callModel: { provider: demo, model: echo-1 }\n';

function judge(files: Readonly<Record<string, string>>, settings: { maxDeadline?: string } = {}): string {
  const name = `case-${Math.random().toString(36).slice(2)}`;
  mkdirSync(join(folder, name), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text);
  try {
    validateNeurons({ ...defineStage({ name: 'own', ...settings }), neurons: name }, folder);
    return 'accepted';
  } catch (error) {
    return (error as Error).message.replaceAll(name, 'settings');
  }
}

describe('the settings files of a stage', () => {
  it('pass where apply takes them', () => {
    expect(judge({ 'acme.yaml': `${ACME}---\n${HELLO}` })).toBe('accepted');
  });

  it('are judged across files, as apply reads a folder', () => {
    expect(judge({ 'a.yaml': HELLO, 'b.yml': ACME })).toBe('accepted');
    expect(judge({ 'a.yaml': HELLO.replace('demo', 'other'), 'b.yml': ACME })).toContain(
      'settings/a.yaml:4:',
    );
  });

  it('refuse every mistake at once, with its place', () => {
    const wrong = judge({
      'acme.yaml': `${ACME}---\n${HELLO.replace('public: true', 'public: 1')}---\n${HELLO}colour: red\n`,
    });
    expect(wrong).toContain('The settings of settings would be refused by `neuron apply`:');
    expect(wrong).toMatch(/settings\/acme\.yaml:6:/);
    expect(wrong).toContain('colour');
  });

  it('refuse a deadline that the stage does not allow', () => {
    const slow = `${ACME}---\n${HELLO}deadline: 2m\n`;
    expect(judge({ 'acme.yaml': slow })).toBe('accepted');
    expect(judge({ 'acme.yaml': slow }, { maxDeadline: '1m' })).toContain('deadline');
  });

  it('refuse a model on Bedrock that the role of the stage may not call', () => {
    const acme = ACME.replace('{ type: echo }', '{ type: bedrock, region: us-east-1 }');
    const hello = HELLO.replace('echo-1', 'amazon.nova-lite-v1');
    expect(judge({ 'acme.yaml': `${acme}---\n${hello}` })).toContain(
      "have `bedrock: [{ region: 'us-east-1', models: ['amazon.nova-lite-v1'] }],` in lib/stages/own.ts",
    );
  });

  it('refuse what is on loopback, which only a local run may call', () => {
    const local = ACME.replace(
      '{ type: echo }',
      '{ type: openai, baseUrl: http://127.0.0.1:11434/v1, apiKey: { secret: k } }',
    );
    expect(judge({ 'acme.yaml': local })).toContain('baseUrl');
  });

  it('refuse YAML that is none, and texts that are not there', () => {
    expect(judge({ 'acme.yaml': 'organization: [' })).toContain('settings/acme.yaml:1');
    expect(
      judge({ 'acme.yaml': `${ACME}---\n${HELLO}  - systemInstructions: { file: tone.md }\n` }),
    ).toContain('tone.md');
  });

  it('refuse a path that is not there or holds nothing', () => {
    const stage = defineStage({ name: 'own' });
    expect(() => validateNeurons({ ...stage, neurons: 'nowhere' }, folder)).toThrow(
      'there is no file or folder nowhere',
    );
    mkdirSync(join(folder, 'empty'));
    expect(() => validateNeurons({ ...stage, neurons: 'empty' }, folder)).toThrow(
      'empty holds no .yaml or .yml file',
    );
  });

  it('stop the app before it makes a stack', () => {
    expect(() => buildApp({ stage: 'dev', overrides: { neurons: 'nowhere' }, outdir: folder })).toThrow(
      'nowhere',
    );
  });
});
