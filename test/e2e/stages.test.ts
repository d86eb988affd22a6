// The templates of every stage run on one machine, and so does that of a stage that has all that a stage can have.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../lib/app.ts';
import type { StageSettings } from '../../lib/config/config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectError, expectRaw } from './support/expect-answer.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const EVERYTHING: Partial<StageSettings> = {
  region: 'eu-central-1',
  provisionedConcurrency: { authorizer: 1, execution: 1 },
  canary: '10PERCENT_5MINUTES',
  alarms: { addresses: ['team@example.com'] },
  dashboard: true,
  domain: {
    name: 'neurons.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/0a1b2c3d-0000-4000-8000-000000000000',
    hostedZone: { id: 'Z0123456789ABC', name: 'example.com' },
  },
  firewall: { requestsPerAddress: 600 },
  encryptionKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000',
};

const SETTINGS = `organization: acme
providers:
  demo: { type: echo }
---
neuron: acme/hello
access: { public: true }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: acme/closed
access: { ips: [203.0.113.7] }
flow:
  - callModel: { provider: demo, model: echo-1 }
`;

let stack: Stack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

describe.runIf(isLocal)('the template of', () => {
  it.each<[string, string, Partial<StageSettings>]>([
    ['development', 'dev', {}],
    ['production', 'prod', {}],
    ['a stage that has everything', 'prod', EVERYTHING],
  ])('%s runs here and answers', { timeout: 120_000 }, async (_what, stage, overrides) => {
    const assembly = join(temporaryFolder(), 'cdk');
    buildApp({ stage, overrides, outdir: assembly }).synth();
    stack = await startStack({ assembly });
    const file = join(temporaryFolder(), 'settings.yaml');
    writeFileSync(file, SETTINGS);
    await stack.operate(['apply', file]);
    expectRaw(await stack.call('/acme/hello?rawOutput=1', { json: { input: 'Hello' } }), 'You said: Hello');
    expectError(await stack.call('/acme/closed', { json: { input: 'Hello' } }), 403, 'ip_not_allowed');
    expect(await stack.operate(['doctor'])).toContain(stage);
  });
});
