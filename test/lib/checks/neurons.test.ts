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

function errorsOf(files: Readonly<Record<string, string>>, settings: { maxDeadline?: string } = {}): string {
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
  it('pass where `neuron apply` accepts them', () => {
    expect(errorsOf({ 'acme.yaml': `${ACME}---\n${HELLO}` })).toBe('accepted');
  });

  it('are validated across files, as `neuron apply` reads a folder', () => {
    expect(errorsOf({ 'a.yaml': HELLO, 'b.yml': ACME })).toBe('accepted');
    expect(errorsOf({ 'a.yaml': HELLO.replace('demo', 'other'), 'b.yml': ACME })).toContain(
      'settings/a.yaml:4:',
    );
  });

  it('refuses every error at once, with its position', () => {
    const wrong = errorsOf({
      'acme.yaml': `${ACME}---\n${HELLO.replace('public: true', 'public: 1')}---\n${HELLO}colour: red\n`,
    });
    expect(wrong).toContain('The settings of settings would be refused by `neuron apply`:');
    expect(wrong).toMatch(/settings\/acme\.yaml:6:/);
    expect(wrong).toContain('colour');
  });

  it('refuses a deadline that the stage does not allow', () => {
    const slow = `${ACME}---\n${HELLO}deadline: 2m\n`;
    expect(errorsOf({ 'acme.yaml': slow })).toBe('accepted');
    expect(errorsOf({ 'acme.yaml': slow }, { maxDeadline: '1m' })).toContain('deadline');
  });

  it('refuses a model on Bedrock that the stage does not allow', () => {
    const acme = ACME.replace('{ type: echo }', '{ type: bedrock, region: us-east-1 }');
    const hello = HELLO.replace('echo-1', 'amazon.nova-lite-v1');
    expect(errorsOf({ 'acme.yaml': `${acme}---\n${hello}` })).toContain(
      "have `bedrock: [{ region: 'us-east-1', models: ['amazon.nova-lite-v1'] }],` in lib/stages/own.ts",
    );
  });

  it('refuses a loopback address, which only a local run may call', () => {
    const local = ACME.replace(
      '{ type: echo }',
      '{ type: openai, baseUrl: http://127.0.0.1:11434/v1, apiKey: { secret: k } }',
    );
    expect(errorsOf({ 'acme.yaml': local })).toContain('baseUrl');
  });

  it('refuses invalid YAML and missing instruction files', () => {
    expect(errorsOf({ 'acme.yaml': 'organization: [' })).toContain('settings/acme.yaml:1');
    expect(
      errorsOf({ 'acme.yaml': `${ACME}---\n${HELLO}  - systemInstructions: { file: tone.md }\n` }),
    ).toContain('tone.md');
  });

  it('refuses a path that does not exist or has no settings files', () => {
    const stage = defineStage({ name: 'own' });
    expect(() => validateNeurons({ ...stage, neurons: 'nowhere' }, folder)).toThrow(
      'names nowhere, which does not exist',
    );
    mkdirSync(join(folder, 'empty'));
    expect(() => validateNeurons({ ...stage, neurons: 'empty' }, folder)).toThrow(
      'names empty, which has no .yaml or .yml file',
    );
  });

  it('refuses before the app creates a stack', () => {
    expect(() => buildApp({ stage: 'dev', overrides: { neurons: 'nowhere' }, outdir: folder })).toThrow(
      'nowhere',
    );
  });
});
