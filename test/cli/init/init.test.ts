// `neuron init`: a start that can be applied as it is, and never in place of something.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

describe('neuron init', () => {
  it('writes a settings file into a folder that it creates', async () => {
    const folder = temporaryFolder();
    const { exitCode, stdout } = await runWith(createMemoryPorts(), ['init', 'a/b'], { folder });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `Wrote ${join(folder, 'a/b/neurons.yaml')}\n`,
    });
    expect(readFileSync(join(folder, 'a/b/neurons.yaml'), 'utf8')).toContain('organization: my-organization');
  });

  it('writes a neuron that takes everything where it is asked for one', async () => {
    const folder = temporaryFolder();
    const { exitCode } = await runWith(createMemoryPorts(), ['init', '.', '--proxy'], { folder });
    expect(exitCode).toBe(0);
    const text = readFileSync(join(folder, 'neurons.yaml'), 'utf8');
    expect(text).toContain('accepts: all');
    expect(text).toContain('apiKey: true');
  });

  it('refuses to overwrite', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'neurons.yaml'), 'mine');
    const { exitCode, stderr } = await runWith(createMemoryPorts(), ['init', '.'], { folder });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('already exists. Nothing was written.');
    expect(readFileSync(join(folder, 'neurons.yaml'), 'utf8')).toBe('mine');
  });

  it('asks three questions for apps of OpenAI, and keeps the key of the vendor out of files and output', async () => {
    const folder = temporaryFolder();
    const ports = createMemoryPorts();
    vi.stubGlobal('fetch', async () =>
      Response.json({ output: 'Hello', fromCache: false, executionStopped: false }),
    );
    const typed = ['depot', '', 'sk-vendor-1234567890'];
    const { exitCode, stdout, stderr, hidden } = await runWith(ports, ['init', '.', '--from-openai'], {
      ...{ folder, typed },
    });
    vi.unstubAllGlobals();
    expect(exitCode, stderr).toBe(0);
    const file = readFileSync(join(folder, 'neurons.yaml'), 'utf8');
    expect(file).toContain('secret: openai-key');
    expect(file).toContain('models: ["gpt-4.1-mini"]');
    expect(`${file}${stdout}${stderr}`).not.toContain('sk-vendor');
    expect(hidden).toHaveLength(1);
    expect(stdout).toMatch(/OPENAI_BASE_URL=.*\/v1\/depot\nOPENAI_API_KEY=nrn_.*\nHello/);
    const validated = await runWith(createMemoryPorts(), ['validate', 'neurons.yaml'], { folder });
    expect(validated.exitCode).toBe(0);
    const again = await runWith(ports, ['init', 'other', '--from-openai'], { folder, typed });
    expect(again.stderr).toContain('The organization depot is there already. Nothing was written.');
  });
});
