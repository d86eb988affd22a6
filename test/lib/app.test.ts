// The app as a whole: stages, overrides, and templates that depend on nothing but the sources.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { type AppOptions, buildApp, STAGES } from '../../lib/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { stubCode } from './synthesized.ts';

const folder = temporaryFolder();

/** The files that CloudFormation and the asset upload read, by name. */
function synthesizeInto(outdir: string, options: AppOptions = {}): Record<string, string> {
  buildApp({ code: stubCode(), ...options, outdir }).synth();
  const names = readdirSync(outdir).filter((name) =>
    /\.(?:template|assets)\.json$|^manifest\.json$/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(outdir, name), 'utf8')]));
}

function withContext<T>(context: Readonly<Record<string, string>>, run: () => T): T {
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify(context));
  try {
    return run();
  } finally {
    vi.unstubAllEnvs();
  }
}

describe('the app', () => {
  it('creates two stacks, by default of the stage dev', () => {
    expect(Object.keys(synthesizeInto(join(folder, 'default'))).toSorted()).toEqual([
      'NeuronApi-dev.assets.json',
      'NeuronApi-dev.template.json',
      'NeuronData-dev.assets.json',
      'NeuronData-dev.template.json',
      'manifest.json',
    ]);
  });

  it('takes stage and transfer mode from the command line', () => {
    const files = withContext({ stage: 'local', transferMode: 'BUFFERED' }, () =>
      synthesizeInto(join(folder, 'context')),
    );
    expect(JSON.parse(files['NeuronApi-local.template.json']!).Outputs).toMatchObject({
      StageName: { Value: 'local' },
      TransferMode: { Value: 'BUFFERED' },
    });
  });

  it('refuses an unknown stage and names those that exist', () => {
    expect(() => buildApp({ stage: 'test', outdir: folder })).toThrow(
      'There is no stage "test". Choose one of dev, local, prod.',
    );
    expect(() => withContext({ stage: 'toString' }, () => buildApp({ outdir: folder }))).toThrow(
      'no stage "toString"',
    );
  });

  it.each([
    ['prd', 'There is no stage "prd"; did you mean prod? Choose one of dev, local, prod.'],
    ['Dev', 'There is no stage "Dev"; did you mean dev? Choose one of dev, local, prod.'],
    ['', 'The context stage is empty. Choose one of dev, local, prod.'],
  ])('says which stage was meant by -c stage=%s', (stage, message) => {
    expect(() => withContext({ stage }, () => buildApp({ outdir: folder }))).toThrow(message);
  });

  it.each([
    [{ Stage: 'prod' }, 'There is no context "Stage"; did you mean stage? Pass -c stage=VALUE.'],
    [{ stag: 'prod' }, 'There is no context "stag"; did you mean stage? Pass -c stage=VALUE.'],
    [
      { stage: 'prod', 'transfer-mode': 'BUFFERED' },
      'There is no context "transfer-mode"; did you mean transferMode?',
    ],
  ])('does not deploy the default in silence where the context is misspelt: %j', (context, message) => {
    expect(() => withContext(context, () => buildApp({ code: stubCode(), outdir: folder }))).toThrow(message);
  });

  it('ignores context of others', () => {
    const context = { owner: 'platform', 'availability-zones:account=1:region=eu-central-1': 'x' };
    const app = () => withContext(context, () => buildApp({ code: stubCode(), outdir: folder }));
    expect(app).not.toThrow();
  });

  it('has a stage for every file of lib/stages, which the local run offers', () => {
    const files = readdirSync(join(import.meta.dirname, '../../lib/stages'));
    expect(files.map((file) => file.replace('.ts', '')).toSorted()).toEqual(Object.keys(STAGES).toSorted());
  });

  it('refuses invalid settings before it creates a stack', () => {
    expect(() =>
      withContext({ transferMode: 'SLOW' }, () => buildApp({ code: stubCode(), outdir: folder })),
    ).toThrow('transferMode: must be STREAM or BUFFERED');
  });

  it('deploys to the region of the stage, where it names one', () => {
    const files = synthesizeInto(join(folder, 'region'), { overrides: { region: 'eu-central-1' } });
    expect(files['manifest.json']).toContain('aws://unknown-account/eu-central-1');
  });

  it('is byte for byte the same wherever it is written and however it is started', () => {
    const first = synthesizeInto(join(folder, 'equal'), { stage: 'prod' });
    expect(synthesizeInto(join(folder, 'deeper/by/two'), { stage: 'prod' })).toEqual(first);
    const started = withContext({ 'aws:cdk:enable-path-metadata': 'true' }, () =>
      synthesizeInto(join(folder, 'command'), { stage: 'prod' }),
    );
    expect(started).toEqual(first);
  });

  it('needs no parameter without a default, and no context lookup', () => {
    for (const stage of ['dev', 'prod']) {
      const files = synthesizeInto(join(folder, `questions-${stage}`), { stage });
      for (const [name, text] of Object.entries(files)) {
        const { Parameters = {}, missing } = JSON.parse(text);
        expect([name, Object.values<object>(Parameters).filter((one) => !('Default' in one))]).toEqual([
          name,
          [],
        ]);
        expect(missing).toBeUndefined();
      }
    }
  });

  it('protects the stacks of production from deletion', () => {
    const artifacts = (stage: string) =>
      JSON.parse(synthesizeInto(join(folder, `protection-${stage}`), { stage })['manifest.json']!).artifacts;
    for (const name of ['NeuronData', 'NeuronApi']) {
      expect(artifacts('prod')[`${name}-prod`].properties.terminationProtection).toBe(true);
      expect(artifacts('dev')[`${name}-dev`].properties.terminationProtection).toBeFalsy();
    }
  });
});

describe('cdk.json', () => {
  it('carries the recommended feature flags of the installed CDK', () => {
    const recommended: object = createRequire(import.meta.url)('aws-cdk-lib/recommended-feature-flags.json');
    expect(cdkJson.context).toEqual({ ...recommended, '@aws-cdk/core:validateAgainstDefaultRules': true });
  });

  it('sends no telemetry', () => {
    expect(cdkJson).toMatchObject({ versionReporting: false, notices: false });
  });
});
