// The settings that the scenarios run on: one organization, a neuron for each thing that can happen.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Stack } from './stack.ts';

/** A key that must never be seen anywhere but by the provider. */
export const PROVIDER_KEY = 'sk-value-of-the-provider-key';

const MODELS = ['ok', 'hang', 'cut', 'html', 'wrong-shape', 'endless', 'too-long'];
const STATUSES = [400, 401, 403, 429, 500, 503];

/** Applies settings to a stack that was started without. */
export async function applySettings(stack: Stack, settings: string): Promise<void> {
  const file = join(temporaryFolder(), 'settings.yaml');
  writeFileSync(file, settings);
  await stack.operate(['apply', file]);
}

/** The documents, as YAML. `openaiUrl` is that of the fake server; `deadUrl` answers nothing. */
export function scenarioSettings({ openaiUrl, deadUrl }: { openaiUrl: string; deadUrl: string }): string {
  const fake = [...MODELS, ...STATUSES.map((status) => `status-${status}`)];
  return [
    `organization: acme
name: Acme Inc.
providers:
  demo: { type: echo }
  late: { type: echo, delay: 20s }
  slow: { type: echo, delay: 2s }
  fake: { type: openai, baseUrl: ${openaiUrl}, apiKey: { secret: provider-key } }
  dead: { type: openai, baseUrl: ${deadUrl} }
  unset: { type: openai, baseUrl: ${openaiUrl}, apiKey: { secret: never-set } }
guards:
  words: { type: patterns, deny: ['(?i)project\\s+falcon'] }
  down: { type: webhook, endpoint: ${deadUrl}, secret: { secret: provider-key } }`,
    neuron('hello', callModel('demo', 'echo-1')),
    neuron('instructed', `  - systemInstructions: Be brief.\n${callModel('demo', 'echo-1')}`),
    neuron('stopped', '  - stop: {}'),
    neuron('stopped-with-text', '  - stop: { text: No more of this. }'),
    neuron('served', '  - serveOutput: { text: "For {{input}}" }'),
    neuron('undeployed', undefined),
    neuron('small', callModel('demo', 'echo-1'), 'maxInputBytes: 10'),
    neuron('impatient', callModel('late', 'echo-1'), 'deadline: 1s'),
    neuron('slow', callModel('slow', 'echo-1')),
    neuron('dead', callModel('dead', 'any')),
    neuron('unwatched', callModel('demo', 'echo-1'), 'guards: [{ use: down, on: [input], action: block }]'),
    neuron('unset', callModel('unset', 'any')),
    neuron('missing', callModel('demo', 'echo-1')),
    neuron('full', callModel('demo', 'echo-1'), 'logging: { bodies: full }'),
    neuron('hashed', callModel('demo', 'echo-1'), 'logging: { bodies: hash }'),
    neuron('unlogged', callModel('demo', 'echo-1'), 'logging: { bodies: none }'),
    'neuron: acme/closed\nflow:\n  - stop: {}',
    'neuron: acme/locked\naccess: { apiKey: true }\nflow:\n  - stop: {}',
    ...fake.map((model) => neuron(model, callModel('fake', model, 'timeout: 1s'))),
  ].join('\n---\n');
}

function neuron(slug: string, flow: string | undefined, ...settings: readonly string[]): string {
  const head = [`neuron: acme/${slug}`, 'access: { public: true }', ...settings].join('\n');
  return flow === undefined ? head : `${head}\nflow:\n${flow}`;
}

function callModel(provider: string, model: string, ...more: readonly string[]): string {
  const members = [`provider: ${provider}`, `model: ${model}`, 'retries: 0', ...more];
  return `  - callModel: { ${members.join(', ')} }`;
}
