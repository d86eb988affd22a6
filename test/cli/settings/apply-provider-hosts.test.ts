// `neuron apply` knows which hosts the providers of the stack may have.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

function apply(providerHosts: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), 'organization: acme\nproviders: { ai: { type: openai } }\n');
  const ports = createMemoryPorts();
  const stack = { ...ports.stack, outputs: { ...ports.stack.outputs, providerHosts } };
  return { ports, result: runWith({ ...ports, stack }, ['apply', 'a.yaml'], { folder }) };
}

describe('neuron apply', () => {
  it('refuses a provider on a host that the stack does not list, and writes nothing', async () => {
    const { ports, result } = apply('["api.mistral.ai"]');
    const { exitCode, stderr } = await result;
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'is on api.openai.com, which the stage setting providerHosts does not list (api.mistral.ai)',
    );
    expect(await ports.store.listOrganizations()).toEqual([]);
  });

  it.each(['null', '["*.openai.com"]'])('takes it where the list is %s', async (hosts) => {
    expect((await apply(hosts).result).exitCode).toBe(0);
  });
});
