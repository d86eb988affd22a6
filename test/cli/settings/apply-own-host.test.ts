// `neuron apply` and a provider that is the service itself, which would call itself without end.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

const OWN = 'abc123.execute-api.eu-central-1.amazonaws.com';

function apply(baseUrl: string) {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'a.yaml'),
    `organization: acme\nproviders: { loop: { type: openai, baseUrl: "${baseUrl}" } }\n`,
  );
  const ports = createMemoryPorts();
  const stack = {
    ...ports.stack,
    local: undefined,
    outputs: { ...ports.stack.outputs, apiUrl: `https://${OWN}/prod/` },
  };
  return runWith({ ...ports, stack }, ['apply', 'a.yaml'], { folder });
}

describe('neuron apply', () => {
  it.each([
    `https://${OWN}/prod/v1/acme/hello`,
    `https://${OWN.toUpperCase()}/v1`,
    `https://${OWN}./v1`,
    `https://${OWN}:443/v1`,
  ])('refuses the provider %s, which is the service itself', async (baseUrl) => {
    const { exitCode, stderr } = await apply(baseUrl);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `providers.loop.baseUrl: must not be this service's own address (${OWN}): each call would make another one.`,
    );
  });

  it('takes another API of the same region', async () => {
    expect((await apply(`https://other1.execute-api.eu-central-1.amazonaws.com/v1`)).exitCode).toBe(0);
  });
});
