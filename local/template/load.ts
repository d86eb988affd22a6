// Reads a cloud assembly: the stacks in the order of their deployment, with templates and assets.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { localFailure } from '../failure.ts';
import { readTemplate, type Template, type TemplateStack } from './template.ts';

interface Artifact {
  readonly type?: string;
  readonly environment?: string;
  readonly dependencies?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

/**
 * Reads an assembly (`manifest.json`) with its nested stages. Without a manifest, every `NAME.template.json` is the stack NAME, in
 * alphabetical order.
 * @throws LocalFailure `ASSEMBLY_UNREADABLE`
 */
export function loadAssembly(folder: string): readonly TemplateStack[] {
  const root = resolve(folder);
  const stacks = listFiles(root).includes('manifest.json') ? loadManifest(root) : loadHandWritten(root);
  if (stacks.length > 0) return stacks;
  throw unreadable(root, 'it holds no stack');
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    throw unreadable(folder, 'there is no such folder', error);
  }
}

function loadManifest(folder: string): readonly TemplateStack[] {
  const manifest = readJson(folder, 'manifest.json') as { artifacts?: Readonly<Record<string, Artifact>> };
  const artifacts = manifest.artifacts ?? {};
  const assets = readAssets(folder, artifacts);
  const stacks: TemplateStack[] = [];
  for (const id of orderArtifacts(folder, artifacts)) {
    const { type, properties, environment } = artifacts[id] ?? {};
    if (type === 'cdk:cloud-assembly')
      stacks.push(...loadManifest(join(folder, String(properties?.['directoryName']))));
    if (type !== 'aws:cloudformation:stack') continue;
    const region = environment?.split('/').at(-1);
    stacks.push({
      name: String(properties?.['stackName'] ?? id),
      folder,
      region: region === 'unknown-region' ? undefined : region,
      template: loadTemplate(folder, String(properties?.['templateFile'])),
      assets,
    });
  }
  return stacks;
}

// In the order of the manifest, but dependencies first.
function orderArtifacts(folder: string, artifacts: Readonly<Record<string, Artifact>>): readonly string[] {
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): void => {
    if (done.has(id)) return;
    if (path.includes(id))
      throw unreadable(folder, `the artifacts ${[...path, id].join(' → ')} depend on each other`);
    for (const dependency of artifacts[id]?.dependencies ?? []) visit(dependency, [...path, id]);
    done.add(id);
  };
  for (const id of Object.keys(artifacts)) visit(id, []);
  return [...done];
}

// The template names code by bucket and key; the asset manifest has the folder of that object.
function readAssets(
  folder: string,
  artifacts: Readonly<Record<string, Artifact>>,
): ReadonlyMap<string, string> {
  const assets = new Map<string, string>();
  for (const { type, properties } of Object.values(artifacts)) {
    if (type !== 'cdk:asset-manifest') continue;
    const { files = {} } = readJson(folder, String(properties?.['file'])) as {
      files?: Record<
        string,
        { source?: { path?: string }; destinations?: Record<string, { objectKey?: string }> }
      >;
    };
    for (const { source, destinations = {} } of Object.values(files)) {
      for (const { objectKey } of Object.values(destinations)) {
        if (objectKey !== undefined && source?.path !== undefined)
          assets.set(objectKey, resolve(folder, source.path));
      }
    }
  }
  return assets;
}

function loadHandWritten(folder: string): readonly TemplateStack[] {
  return listFiles(folder)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => ({
      name: file.slice(0, -'.template.json'.length),
      folder,
      region: undefined,
      template: loadTemplate(folder, file),
      assets: new Map<string, string>(),
    }));
}

function loadTemplate(folder: string, file: string): Template {
  try {
    return readTemplate(readJson(folder, file));
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error;
    throw unreadable(folder, `${file}: ${(error as Error).message}`, error);
  }
}

function readJson(folder: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, file), 'utf8'));
  } catch (error) {
    throw unreadable(folder, `${file} cannot be read: ${(error as Error).message}`, error);
  }
}

function unreadable(folder: string, reason: string, cause?: unknown): Error {
  return localFailure(
    'ASSEMBLY_UNREADABLE',
    `${folder} is no cloud assembly: ${reason}. Synthesize again.`,
    cause,
  );
}
