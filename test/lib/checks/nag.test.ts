// cdk-nag (AwsSolutions, Serverless) and CloudFormation's schemas: no finding without a reason, in any stage or mode.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, CfnResource, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import { type AppOptions, buildApp } from '../../../lib/app.ts';
import type { StageSettings } from '../../../lib/config/config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stubCode } from '../synthesized.ts';

const folder = temporaryFolder();

interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly conclusion: string;
    readonly violations: readonly unknown[];
    readonly suppressedViolations: readonly { readonly ruleName: string; readonly reason: string }[];
  }[];
}

function appIn(name: string, options: AppOptions): App {
  return buildApp({ ...options, outdir: join(folder, name), code: stubCode() });
}

/** The report of an app, made once for each name: the checks take seconds. */
function check(name: string, options: AppOptions): Report {
  const file = join(folder, name, 'validation-report.json');
  if (!existsSync(file)) appIn(name, options).synth();
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The API stack of a new app, for something wrong to be put in. */
function apiStack(name: string): { readonly app: App; readonly stack: Stack } {
  const app = appIn(name, { stage: 'dev' });
  const stack = app.node.findChild('NeuronApi-dev');
  if (!Stack.isStack(stack)) throw new Error('no API stack');
  return { app, stack };
}

// The engine behind CloudFormation's schemas takes seconds to start, and many more on a machine that is busy.
/** A stage that has all that a stage can have. */
const EVERYTHING: Partial<StageSettings> = {
  region: 'eu-central-1',
  peak: { callsPerSecond: 20, secondsPerCall: 0.5 },
  organizationConcurrency: 4,
  provisionedConcurrency: { authorizer: 1, execution: 1 },
  canary: '10PERCENT_5MINUTES',
  alarms: { addresses: ['team@example.com'] },
  domain: {
    name: 'neurons.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/0a1b2c3d-0000-4000-8000-000000000000',
    hostedZone: { id: 'Z0123456789ABC', name: 'example.com' },
  },
  firewall: { requestsPerAddress: 600 },
  bedrock: [
    {
      region: 'us-east-1',
      models: ['us.amazon.nova-lite-v1:0', 'amazon.titan-text-lite-v1'],
      guardrails: ['abc123'],
      guardrailProfiles: ['us.guardrail.v1:0'],
      guardrailChecks: true,
    },
  ],
  encryptionKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000',
};

describe('the checks', { timeout: 60_000 }, () => {
  it.each<[string, 'STREAM' | 'BUFFERED', AppOptions['overrides']]>([
    ['dev', 'STREAM', {}],
    ['local', 'STREAM', {}],
    ['prod', 'BUFFERED', EVERYTHING],
  ] as const)('find nothing in %s, %s', (stage, transferMode, more) => {
    const { pluginReports } = check(stage, { stage, overrides: { transferMode, ...more } });
    const results = pluginReports.map(({ pluginName, conclusion, violations }) => ({
      pluginName,
      conclusion,
      violations,
    }));
    expect(results).toEqual([
      { pluginName: 'AwsSolutions', conclusion: 'success', violations: [] },
      { pluginName: 'Serverless', conclusion: 'success', violations: [] },
      // Named only where something was acknowledged, which in production is the two tables that nobody restores.
      { pluginName: 'Neuron', conclusion: 'success', violations: [] },
    ]);
  });

  it('find nothing that is not acknowledged with a reason', () => {
    const { pluginReports } = check('dev', { stage: 'dev' });
    const kept = pluginReports.flatMap(({ suppressedViolations }) => suppressedViolations);
    const rules = new Set(kept.map(({ ruleName }) => ruleName.replace(/\[.*/, '')));
    expect([...rules].toSorted()).toEqual([
      'AwsSolutions-APIG2',
      'AwsSolutions-APIG3',
      'AwsSolutions-APIG4',
      'AwsSolutions-COG4',
      'AwsSolutions-IAM4',
      'AwsSolutions-IAM5',
      'AwsSolutions-S1',
      'FunctionWithoutConcurrencyLimit',
      'Serverless-EventBusDLQ',
      'Serverless-LambdaAsyncFailureDestination',
      'Serverless-LambdaDLQ',
      'Serverless-LambdaTracing',
    ]);
    for (const { reason } of kept) expect(reason.length).toBeGreaterThan(40);
  });

  it('refuses a finding of cdk-nag without an acknowledgement', () => {
    const { app, stack } = apiStack('bucket');
    new Bucket(stack, 'Open');
    expect(() => app.synth()).toThrow(/AwsSolutions-S1\b/);
  });

  it("refuses a violation of the service's own rules", () => {
    const { app, stack } = apiStack('rules');
    new CfnResource(stack, 'Old', { type: 'AWS::ApiGateway::RestApi', properties: { Name: 'old' } });
    expect(() => app.synth()).toThrow(/Callers can connect with TLS below 1\.2\. \(Neuron\)/);
  });

  it('refuses a template that CloudFormation would refuse', () => {
    const { app, stack } = apiStack('schema');
    new CfnResource(stack, 'Wrong', { type: 'AWS::Logs::LogGroup', properties: { RetentionInDays: 'long' } });
    expect(() => app.synth()).toThrow(/RetentionInDays/);
  });
});
