// Finds the folder with a function's code, and rejects one that was not bundled.

import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { TemplateStack } from './template.ts';
import type { ResolvedResource } from './types.ts';
import { templateError } from './values.ts';

const EXTENSIONS = ['.mjs', '.js', '.cjs'];

/**
 * The absolute folder of a function's code. It is named by `Metadata["aws:asset:path"]`, by the asset manifest, by a path in
 * `Code` (as `aws cloudformation package` takes it), or it is written from `Code.ZipFile`.
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` if there is none, or it lacks the handler's file
 */
export function codeFolder(
  stack: Pick<TemplateStack, 'folder' | 'assets'>,
  resource: ResolvedResource,
  inlineCodeFolder: string,
): string {
  const folder = findFolder(stack, resource, inlineCodeFolder);
  if (folder === undefined) throw templateError(resource, 'its code is in no asset of this assembly');
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined)
    throw templateError(resource, `its code ${folder} does not exist. Synthesize again.`);
  if (!found.isDirectory())
    throw templateError(resource, `its code ${folder} is not a folder; an archive is not supported`);
  const handler = String(resource.properties['Handler'] ?? '');
  const file = handler.replace(/\.[^/]*$/, '');
  if (!EXTENSIONS.some((extension) => existsSync(join(folder, `${file}${extension}`))))
    throw templateError(
      resource,
      `${folder} has no file for the handler "${handler}": the asset is not bundled. Synthesize again, to a folder of its own.`,
    );
  return folder;
}

function findFolder(
  { folder, assets }: Pick<TemplateStack, 'folder' | 'assets'>,
  { properties, metadata, stack, logicalId }: ResolvedResource,
  inlineCodeFolder: string,
): string | undefined {
  const path = metadata['aws:asset:path'];
  if (typeof path === 'string') return isAbsolute(path) ? path : resolve(folder, path);
  const code = properties['Code'];
  if (typeof code === 'string') return resolve(folder, code);
  const { S3Key: key, ZipFile: source } = (code ?? {}) as { S3Key?: unknown; ZipFile?: unknown };
  if (typeof source === 'string') {
    const inline = join(inlineCodeFolder, `${stack}-${logicalId}`);
    mkdirSync(inline, { recursive: true });
    // Lambda puts inline code into a file named index.
    writeFileSync(join(inline, 'index.js'), source);
    return inline;
  }
  return typeof key === 'string' ? assets.get(key) : undefined;
}
