// Copies of the synthesized assembly whose templates a test may change by hand, as an editor would; the bundles are all tests' own.
import {
  copyFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { COMPILE_CACHE, synthesize } from '../../../bin/start/synthesize.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ROOT } from './command.ts';
import { COMPUTE, type TransferMode, transferModeOption } from './stack.ts';

/** A resource of a template. */
export interface TemplateResource {
  Type: string;
  Properties?: Record<string, unknown>;
  DependsOn?: string[] | string;
}

/** A template, to be changed in place. */
export interface Template {
  Resources: Record<string, TemplateResource>;
  Outputs: Record<string, { Value: unknown }>;
}

/** Makes what `npm start` runs, unless it is there already; gives its folder. */
export async function synthesizeLocal(transferMode: TransferMode): Promise<string> {
  const words = transferModeOption(transferMode);
  const folder = join(ROOT, '.local', 'cdk', ['local', ...words, COMPUTE ?? []].flat().join('-'));
  await synthesize({ root: ROOT, folder, stage: 'local', transferMode: words[0], compute: COMPUTE });
  return folder;
}

/** A copy of its own of the templates that `npm start` runs; the bundles, and what Node compiled of them, are the same. */
export async function copyAssembly(transferMode: TransferMode = 'STREAM'): Promise<string> {
  const copy = temporaryFolder();
  const made = await synthesizeLocal(transferMode);
  mkdirSync(join(made, COMPILE_CACHE), { recursive: true });
  for (const entry of readdirSync(made, { withFileTypes: true })) {
    const [from, to] = [join(made, entry.name), join(copy, entry.name)];
    if (entry.isDirectory()) symlinkSync(from, to);
    else copyFileSync(from, to);
  }
  return copy;
}

/** Changes the template of a stack whose name begins so. */
export function editTemplate(
  assembly: string,
  stack: 'NeuronApi' | 'NeuronData',
  edit: (template: Template) => void,
): void {
  const [file] = globSync(`${stack}*.template.json`, { cwd: assembly });
  if (file === undefined) throw new Error(`no template of ${stack}`);
  const path = join(assembly, file);
  const template = JSON.parse(readFileSync(path, 'utf8')) as Template;
  edit(template);
  writeFileSync(path, JSON.stringify(template));
}

/** The logical id of the one resource of a type that the test means. */
export function findResource(
  { Resources }: Template,
  type: string,
  isMeant: (resource: TemplateResource) => boolean = () => true,
): string {
  const found = Object.keys(Resources).filter((id) => Resources[id]?.Type === type && isMeant(Resources[id]));
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`${found.length} resources of type ${type} are meant`);
  return found[0];
}

/** Deletes a resource and every mention of it in `DependsOn`. */
export function deleteResource({ Resources }: Template, id: string): void {
  delete Resources[id];
  for (const resource of Object.values(Resources)) {
    if (Array.isArray(resource.DependsOn))
      resource.DependsOn = resource.DependsOn.filter((other) => other !== id);
    else if (resource.DependsOn === id) delete resource.DependsOn;
  }
}
