// Configurations of LiteLLM's and Portkey's own repositories: what the command makes of each, whole, and that it is valid.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

const CONFIGS = join(import.meta.dirname, 'configs');
/** Names that callers send, for configurations that leave them open. */
const SENT: Readonly<Record<string, string>> = {
  'litellm-wildcards.yaml': 'gpt-4.1,anthropic/claude-haiku-4-5,groq/llama-3.3-70b-versatile',
  'portkey-nested.json': 'gpt-3.5-turbo',
  'portkey-guardrails.json': 'gpt-4o,gpt-4o-mini',
};
const files = readdirSync(CONFIGS).filter((name) => /\.(?:yaml|json)$/.test(name));

describe('a configuration of another project', () => {
  it('is there: five of each', () => {
    expect(files.length).toBeGreaterThanOrEqual(11);
  });

  it.each(files)('is imported and valid: %s', async (name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), readFileSync(join(CONFIGS, name)));
    const from = name.split('-')[0] ?? '';
    const models = SENT[name] === undefined ? [] : ['--models', SENT[name]];
    const words = ['import', from, name, '--organization', 'acme', ...models];
    const { exitCode, stdout, stderr } = await runWith(createMemoryPorts(), words, { folder });
    expect(stderr).toContain('Nothing was applied.');
    expect(exitCode).toBe(0);
    const written = ['organization.yaml', 'neurons.yaml'].map((file) =>
      readFileSync(join(folder, 'acme', file), 'utf8'),
    );
    const made = [...written, stdout.replaceAll(folder, '.')].join('\n=====\n');
    // No key of the file is anywhere.
    expect(`${made}${stderr}`).not.toMatch(/sk-uj6F|sk-Imn|73g|9kj|fake-key|YOUR_|sk-1234|eYVX71/);
    await expect(made).toMatchFileSnapshot(join(CONFIGS, `${name}.imported.txt`));
    // Servers on the developer's machine are for the local run.
    const stage = /localhost/.test(made) ? ['--local'] : [];
    const validated = await runWith(createMemoryPorts(), [...stage, 'validate', 'acme'], { folder });
    expect(validated.stdout.split('\n').filter((line) => line.startsWith('error'))).toEqual([]);
    expect(validated.exitCode).toBe(0);
  });
});
