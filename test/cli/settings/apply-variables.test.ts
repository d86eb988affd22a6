// Variables are part of a version: applied, shown, compared and recorded with the flow.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const ACME = 'organization: acme\nproviders: { demo: { type: echo } }\n---\n';
const neuron = (variables: string) =>
  `${ACME}neuron: acme/hello\naccess: { apiKey: true }\n${variables}flow:\n  - callModel: { provider: demo, model: m, prompt: "{{tone}} {{input}}" }\n`;
const tone = (values: string) => neuron(`variables: { tone: { type: string, enum: [${values}] } }\n`);

function apply(ports: MemoryPorts, text: string, ...words: string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), text);
  return runWith(ports, ['apply', 'a.yaml', ...words], { folder });
}

it('makes a version where a variable alone changes, and none for what show prints', async () => {
  const ports = createMemoryPorts();
  expect((await apply(ports, tone('brief, warm'))).stdout).toContain('version v1, deployed');
  expect((await apply(ports, tone('brief, warm'))).stderr).toBe('Nothing to change.\n');
  const shown = (await runWith(ports, ['show', 'acme'])).stdout;
  expect(shown).toContain('variables:\n  tone:\n    type: string\n    enum:');
  expect((await apply(ports, shown, '--check')).exitCode).toBe(0);
  const changed = await apply(ports, tone('brief, kind'), '--dry-run');
  expect(changed.stderr + changed.stdout).toMatch(/-\s+- warm\n\s*\+\s+- kind/);
  expect((await apply(ports, tone('brief, kind'))).stdout).toContain('version v2, deployed');
  expect((await runWith(ports, ['versions', 'show', 'acme/hello', 'v1'])).stdout).toMatch(
    /^variables:\n {2}tone:/,
  );
  const { stdout } = await runWith(ports, ['versions', 'diff', 'acme/hello', 'v1', 'v2']);
  expect(stdout).toMatch(/- .*warm\n\+ .*kind/);
});

it('takes them away with a version, and refuses what the flow still needs', async () => {
  const ports = createMemoryPorts();
  await apply(ports, tone('brief, warm'));
  expect(await apply(ports, neuron(''))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('has the unknown placeholder {{tone}}'),
  });
  const without = neuron('').replace('{{tone}} ', '');
  expect((await apply(ports, without)).stdout).toContain('version v2, deployed');
  expect((await runWith(ports, ['show', 'acme/hello'])).stdout).not.toContain('variables');
});
