// The example pipeline: valid YAML, steps in an order that protects production, commands that exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildPipeline } from '../../examples/pipeline/cdk-pipeline.ts';
import { plainApp, resourcesOf, stubCode } from '../lib/synthesized.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly id?: string;
    readonly run?: string;
    readonly uses?: string;
    readonly if?: string;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

const workflow = parse(
  readFileSync(join(ROOT, 'examples/pipeline/.github/workflows/deploy.yml'), 'utf8'),
) as {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<'validate' | 'dev' | 'prod', Job>>;
};
const { validate, dev, prod } = workflow.jobs;
const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

describe('the example pipeline', () => {
  it('validates first, then deploys dev, and production after it', () => {
    expect([validate.needs, dev.needs, prod.needs]).toEqual([undefined, 'validate', 'dev']);
    expect([dev.environment, prod.environment]).toEqual(['dev', 'prod']);
  });

  it('signs in by OIDC in the jobs that deploy, and has no secret', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of [dev, prod]) {
      expect(job.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
      expect(job.steps.some(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials@'))).toBe(
        true,
      );
    }
    expect(JSON.stringify(workflow)).not.toContain('secrets.');
  });

  it('shows the difference, deploys, checks the deployment, and rolls back what was deployed when a step failed', () => {
    for (const job of [dev, prod]) {
      const text = commandsOf(job).join('\n');
      const order = ['cdk diff', 'cdk deploy', 'npm run --silent smoke', 'git checkout "$BEFORE"'];
      const places = order.map((command) => text.indexOf(command));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places[0]).toBeGreaterThan(-1);
      const rollback = job.steps.find(({ run }) => run?.includes('git checkout'));
      // The parent of a commit is not what was deployed where a push has several, and a failed `npm ci` deployed nothing.
      expect(rollback?.env?.['BEFORE']).toMatch(/^\$\{\{ github\.event\.before \}\}$/);
      expect(rollback?.if).toMatch(/^failure\(\) && steps\.deploy\.outcome != 'skipped' && !startsWith/);
      expect(job.steps.find(({ id }) => id === 'deploy')?.run).toContain('cdk deploy');
    }
  });

  it('runs only scripts that the package has', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: object;
    };
    const text = [validate, dev, prod].flatMap(commandsOf).join('\n');
    for (const [, name] of text.matchAll(/npm run (?:--silent )?([a-z:]+)/g))
      expect(scripts).toHaveProperty(name!);
  });
});

describe('the example workflow of prompts', () => {
  const prompts = parse(
    readFileSync(join(ROOT, 'examples/pipeline/.github/workflows/prompts.yml'), 'utf8'),
  ) as { readonly jobs: Readonly<Record<'check' | 'dev' | 'prod', Job & { readonly if?: string }>> };
  const { jobs } = prompts;

  it('checks pull requests of the repository alone, and applies what was merged, to production last', () => {
    expect(jobs.check.if).toContain('head.repo.full_name == github.repository');
    expect(commandsOf(jobs.check).join('\n')).toMatch(
      /neuron validate neurons\n[\s\S]*apply neurons .*--check/,
    );
    expect(commandsOf(jobs.check).join('\n')).not.toContain('--yes');
    expect([jobs.dev.if, jobs.prod.needs]).toEqual(["github.event_name == 'push'", 'dev']);
    for (const job of [jobs.dev, jobs.prod])
      expect(commandsOf(job).join('\n')).toMatch(/apply neurons .*--yes --message /);
  });

  it('differs by stage in overlays alone, which are validated before', () => {
    for (const job of [jobs.check, jobs.dev, jobs.prod])
      expect(commandsOf(job).join('\n')).toContain(
        'apply neurons --overlay "overlays/$STAGE" --stack "$STACK"',
      );
    expect(commandsOf(jobs.check).join('\n')).toContain('validate neurons --overlay "overlays/$stage"');
  });

  it('puts nothing that others wrote into a script, where it could run', () => {
    for (const job of [jobs.check, jobs.dev, jobs.prod])
      expect(commandsOf(job).filter((run) => run.includes('${'))).toEqual([]);
    expect(JSON.stringify(prompts)).not.toContain('secrets.');
  });

  it('passes only options that the command has', () => {
    const source = ['apply.ts', 'read-with-overlays.ts']
      .map((name) => readFileSync(join(ROOT, 'cli/settings', name), 'utf8'))
      .join('\n');
    const text = [jobs.check, jobs.dev]
      .flatMap(commandsOf)
      .filter((run) => run.includes('neuron apply'))
      .join('\n');
    const own = [...text.matchAll(/--(check|message|overlay)\b/g)].map(([option]) => option);
    expect(new Set(own)).toEqual(new Set(['--check', '--message', '--overlay']));
    for (const option of own) expect(source).toContain(`'${option}`);
  });
});

describe('the example workflow of tests', () => {
  const { jobs } = parse(
    readFileSync(join(ROOT, 'examples/pipeline/.github/workflows/tests.yml'), 'utf8'),
  ) as { readonly jobs: Readonly<Record<'test', Job>> };
  const commands = commandsOf(jobs.test).join('\n');

  it('tests a pull request beside its base, without a role or a key, and comments', () => {
    expect(commands).toContain('neuron test neurons --against .before/neurons');
    expect(JSON.stringify(jobs)).not.toMatch(/secrets\.|id-token|aws-actions|NEURON_SECRET/);
    expect(commands).toContain('gh pr comment "$NUMBER" --body-file tests.md');
    expect(commandsOf(jobs.test).filter((run) => run.includes('${'))).toEqual([]);
  });

  it('passes only options that the command has', () => {
    const source = readFileSync(join(ROOT, 'cli/tests/test.ts'), 'utf8');
    const [line = ''] = /neuron test .*/.exec(commands) ?? [];
    for (const [option] of line.matchAll(/--(?!no-color|json)[a-z-]+/g))
      expect(source).toContain(`'${option} <`);
  });
});

describe('the example of CDK Pipelines', () => {
  it('checks dev before production, which waits for an approval, and deploys stacks that the command finds', () => {
    const app = plainApp(temporaryFolder());
    const stack = buildPipeline(app, stubCode);
    const { stacksRecursively } = app.synth();
    const template = stacksRecursively.find(({ stackName }) => stackName === stack.stackName)?.template;
    const [[, pipeline] = []] = resourcesOf(template, 'AWS::CodePipeline::Pipeline');
    const stages = pipeline?.Properties['Stages'] as readonly {
      readonly Name: string;
      readonly Actions: readonly { readonly Name: string; readonly RunOrder: number }[];
    }[];
    const names = stages.map(({ Name }) => Name);
    expect(names.indexOf('dev')).toBeGreaterThan(names.indexOf('Build'));
    expect(names.indexOf('prod')).toBeGreaterThan(names.indexOf('dev'));
    for (const name of ['dev', 'prod']) {
      const actions = stages.find(({ Name }) => Name === name)!.Actions;
      const last = Math.max(...actions.map(({ RunOrder }) => RunOrder));
      expect(actions.filter(({ RunOrder }) => RunOrder === last).map(({ Name }) => Name)).toEqual([
        `Smoke-${name}`,
      ]);
      const approval = actions.find(({ Name }) => Name === 'Approve');
      expect(approval?.RunOrder).toBe(name === 'prod' ? 1 : undefined);
    }
    expect(stacksRecursively.map(({ stackName }) => stackName).toSorted()).toEqual([
      'NeuronApi-dev',
      'NeuronApi-prod',
      'NeuronData-dev',
      'NeuronData-prod',
      'NeuronPipeline',
    ]);
  });
});
