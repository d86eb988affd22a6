// The CDK command against the emulator: assemblies of this app, changed by hand where a test changes a release.
import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from '../../bin/start/synthesize.ts';
import type { StageSettings } from '../../lib/config/config.ts';
import { type CommandResult, ROOT, runProgram, tryProgram } from '../e2e/support/command.ts';
import type { Credentials, Emulator } from './emulator.ts';
import { TEMPLATE_RULES } from './template-rules.ts';

/** A CloudFormation template, to be changed in place. */
export interface Template {
  Resources: Record<string, Resource>;
  Outputs?: Record<string, { Value: unknown }>;
}

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DependsOn?: string | string[];
  [attribute: string]: unknown;
}

/** Both stacks of a stage as the CDK command takes them. */
export interface Assembly {
  readonly stage: string;
  readonly folder: string;
}

/** Synthesizes a stage in BUFFERED transfer, and takes a copy without what the emulator does not know. */
export async function prepareAssembly(stage: string, below: string): Promise<Assembly> {
  const original = join(ROOT, '.local', 'cdk', `emulator-${stage}`);
  await synthesize({ root: ROOT, folder: original, stage, transferMode: 'BUFFERED' });
  const folder = join(below, `assembly-${stage}`);
  cpSync(original, folder, { recursive: true });
  const assembly = { stage, folder };
  for (const stack of ['NeuronData', 'NeuronApi'] as const)
    editTemplate(assembly, stack, (template) => {
      for (const rule of TEMPLATE_RULES) rule.apply(template);
    });
  return assembly;
}

/** Synthesizes a stage in BUFFERED transfer with settings of its own, without what the emulator does not know. `name` tells it from others. */
export async function prepareStage(
  below: string,
  name: string,
  stage: string,
  settings: Partial<StageSettings>,
): Promise<Assembly> {
  const assembly = { stage, folder: join(below, `assembly-${name}`) };
  const words = [join(import.meta.dirname, 'stage-app.ts'), assembly.folder, stage];
  await runProgram(process.execPath, [...words, JSON.stringify({ transferMode: 'BUFFERED', ...settings })]);
  for (const stack of ['NeuronData', 'NeuronApi'] as const)
    editTemplate(assembly, stack, (template) => {
      for (const rule of TEMPLATE_RULES) rule.apply(template);
    });
  return assembly;
}

/** A copy of an assembly with one of its templates changed, as the next release of the service would be. */
export function nextRelease(
  assembly: Assembly,
  name: string,
  stack: string,
  edit: (template: Template) => void,
): Assembly {
  const next = { stage: assembly.stage, folder: `${assembly.folder}-${name}` };
  rmSync(next.folder, { recursive: true, force: true });
  cpSync(assembly.folder, next.folder, { recursive: true });
  editTemplate(next, stack, edit);
  return next;
}

/** Changes the template of one stack. */
export function editTemplate({ folder }: Assembly, stack: string, edit: (template: Template) => void): void {
  const [file] = globSync(`${stack}*.template.json`, { cwd: folder });
  if (file === undefined) throw new Error(`no template of ${stack} in ${folder}`);
  const path = join(folder, file);
  const template = JSON.parse(readFileSync(path, 'utf8')) as Template;
  const before = templateHash(folder, file);
  edit(template);
  const text = JSON.stringify(template, null, 1);
  writeFileSync(path, text);
  // The CDK command uploads what the bucket does not have under this name yet.
  const after = createHash('sha256').update(text).digest('hex');
  for (const index of ['manifest.json', file.replace('template.json', 'assets.json')]) {
    const indexed = readFileSync(join(folder, index), 'utf8');
    writeFileSync(join(folder, index), indexed.replaceAll(before, after));
  }
}

/** The name under which the CDK command uploads a template. */
function templateHash(folder: string, file: string): string {
  const index = readFileSync(join(folder, file.replace('template.json', 'assets.json')), 'utf8');
  const { files } = JSON.parse(index) as {
    readonly files: Readonly<Record<string, { readonly source: { readonly path: string } }>>;
  };
  const found = Object.entries(files).find(([, { source }]) => source.path === file);
  if (found === undefined) throw new Error(`${file} is no asset`);
  return found[0];
}

/** Runs `cdk WORDS…` of this repository. Never rejects because of an exit code. */
export type Cdk = (...words: readonly string[]) => Promise<CommandResult>;

export function cdkCommand(emulator: Emulator, credentials: Credentials, home: string): Cdk {
  const program = join(ROOT, 'node_modules/.bin/cdk');
  return (...words) =>
    tryProgram(program, words, {
      // Not the repository: its cdk.json would be another app.
      folder: home,
      environment: {
        ...emulator.environment,
        ...credentials,
        CDK_HOME: home,
        CDK_DISABLE_CLI_TELEMETRY: 'true',
        CI: 'true',
      },
    });
}

/** The last lines of what a command printed, for a report. */
export function lastLines({ stdout, stderr }: CommandResult, count = 12): string {
  return `${stdout}${stderr}`.trim().split('\n').slice(-count).join('\n');
}
