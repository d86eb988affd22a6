// The templates of a stage, with a stub for the bundles, which are tested apart.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildApp } from '../../lib/app.ts';
import type { StageSettings } from '../../lib/config/config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A resource of a template, before CloudFormation resolves anything. */
export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown; readonly Export?: unknown }>>;
}

export interface Templates {
  readonly data: Template;
  readonly api: Template;
}

/** A function's code for tests of everything but the functions. */
export function stubCode(): Code {
  return Code.fromAsset(fileURLToPath(new URL('./stub-function', import.meta.url)));
}

/** An app of somebody else, without notes of where each construct was created. */
export function plainApp(outdir: string): App {
  return new App({
    outdir,
    analyticsReporting: false,
    treeMetadata: false,
    stackTraces: false,
  });
}

const synthesized = new Map<string, Templates>();

/** Both templates of a stage: for the same settings those of the first call, which many files of tests read. */
export function synthesize(stage: string, overrides: Partial<StageSettings> = {}): Templates {
  // A setting that is taken away is not one that is left as the stage has it.
  const key = JSON.stringify([stage, overrides], (_name, value) => (value === undefined ? 'none' : value));
  const templates = synthesized.get(key) ?? synthesizeAnew(stage, overrides);
  synthesized.set(key, templates);
  return templates;
}

/** Both templates of a stage, from an app of their own, with every check that a deployment makes. */
export function synthesizeAnew(stage: string, overrides: Partial<StageSettings> = {}): Templates {
  const outdir = temporaryFolder();
  buildApp({ stage, overrides, outdir, code: stubCode() }).synth();
  const read = (stack: string): Template =>
    JSON.parse(readFileSync(join(outdir, `${stack}-${stage}.template.json`), 'utf8'));
  return { data: read('NeuronData'), api: read('NeuronApi') };
}

/** The resources of a type with their logical ids. */
export function resourcesOf(template: Template, type: string): [string, Resource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

/** The only resource of a type. */
export function onlyResource(template: Template, type: string): Resource {
  const [found, ...others] = resourcesOf(template, type);
  if (found === undefined || others.length > 0)
    throw new Error(`${type}: ${others.length + (found ? 1 : 0)}`);
  return found[1];
}
