// `neuron apply` knows which models on Bedrock the stack's role may call.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

const SETTINGS = `organization: acme
providers: { aws: { type: bedrock, region: us-east-1 } }
---
neuron: acme/hello
access: { public: true }
flow: [{ callModel: { provider: aws, model: amazon.nova-lite-v1 } }]
`;

function apply(bedrockModels: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), SETTINGS);
  const ports = createMemoryPorts();
  const stack = { ...ports.stack, outputs: { ...ports.stack.outputs, bedrockModels } };
  return runWith({ ...ports, stack }, ['apply', 'a.yaml'], { folder });
}

describe('neuron apply', () => {
  it('refuses a model on Bedrock that the stack does not allow, with the line to add to its stage settings', async () => {
    const { exitCode, stderr } = await apply('[]');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "a.yaml:6:38: flow[0].callModel.model: may not be called in us-east-1 by this stage: have `bedrock: [{ region: 'us-east-1', models: ['amazon.nova-lite-v1'] }],` in lib/stages/test.ts, and deploy",
    );
  });

  it('takes one that it does allow', async () => {
    const { exitCode, stdout } = await apply('[{"region":"us-east-1","models":["amazon.nova-lite-v1"]}]');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Created neuron acme/hello: version v1, deployed');
  });
});
