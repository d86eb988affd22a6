// `neuron apply --deploy` and `--no-deploy`: which of them was said, and whether callers can see what was made.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const settings = (text: string, bodies: string) =>
  `organization: acme
---
neuron: acme/hello
access: { apiKey: true }
logging: { bodies: ${bodies} }
flow: [{ serveOutput: { text: ${text} } }]
`;

function apply(ports: MemoryPorts, text: string, ...words: readonly string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), text);
  return runWith(ports, ['apply', 'a.yaml', ...words], { folder });
}

describe('neuron apply', () => {
  it('says when it takes effect only if callers are affected', async () => {
    const ports = createMemoryPorts();
    expect((await apply(ports, settings('one', 'hash'))).stderr).toContain('Takes effect within 15 s.');
    const kept = await apply(ports, settings('two', 'hash'), '--no-deploy');
    expect(kept.stdout).toBe('Updated neuron acme/hello: version v2\n');
    expect(kept.stderr).not.toContain('Takes effect');
    const both = await apply(ports, settings('three', 'full'), '--no-deploy');
    expect(both.stderr).toContain('Takes effect within 15 s.');
    const moved = await apply(ports, settings('three', 'full'), '--deploy');
    expect(moved.stderr).toContain('Takes effect within 15 s.');
  });

  it.each([
    ['--deploy', '--no-deploy'],
    ['--no-deploy', '--deploy'],
  ])('refuses %s with %s, and writes nothing', async (...both) => {
    const ports = createMemoryPorts();
    const { exitCode, stderr } = await apply(ports, settings('one', 'hash'), ...both);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--deploy and --no-deploy were both given.');
    expect(await ports.store.readOrganization('acme')).toBeUndefined();
  });
});
