// Resolves all stacks of an assembly together, so that one can use the exports of another.

import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { localFailure } from '../failure.ts';
import { createConditions, evaluateCondition } from './conditions.ts';
import { type Identity, identify } from './identities.ts';
import { ResolveError, resolveValue } from './resolve.ts';
import { pseudoParameters, type Scope } from './scope.ts';
import type { TemplateParameter, TemplateResource, TemplateStack } from './template.ts';
import type { ResolvedResource, ResolvedStack } from './types.ts';
import { templateError } from './values.ts';

export interface ResolveSettings {
  /** The region of a stack whose app left it open. */
  readonly region: string;
  readonly accountId: string;
  /** Values of template parameters, by name, in place of their defaults. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Takes code that is written in the template itself. */
  readonly inlineCodeFolder: string;
}

/**
 * Resolves the stacks. A resource whose condition is false is left out. The `Metadata` of a function get the absolute
 * `aws:asset:path` of its code, wherever the template had it.
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` that names the place
 */
export function resolveStacks(
  stacks: readonly TemplateStack[],
  settings: ResolveSettings,
): readonly ResolvedStack[] {
  const exports = new Map<string, () => unknown>();
  const importValue = (name: string) => {
    const found = exports.get(name);
    if (found === undefined) throw new Error(`no stack exports ${name}`);
    return found();
  };
  const scoped = stacks.map((stack) => ({ stack, scope: createScope(stack, settings, importValue) }));
  try {
    for (const { stack, scope } of scoped) collectExports(stack, scope, exports);
    return scoped.map(({ stack, scope }) => resolveStack(stack, scope, settings));
  } catch (error) {
    if (error instanceof ResolveError) throw localFailure('TEMPLATE_NOT_SUPPORTED', error.message, error);
    throw error;
  }
}

interface StackScope extends Scope {
  identity(logicalId: string): Identity;
  exists(item: { readonly Condition?: string }): boolean;
}

function createScope(
  { name: stack, region, template }: TemplateStack,
  settings: ResolveSettings,
  importValue: (name: string) => unknown,
): StackScope {
  const identities = new Map<string, Identity>();
  const condition = createConditions(template.conditions, (value, name) =>
    evaluateCondition(value, scope, (operand) => resolveValue(operand, scope, `${stack}/Conditions.${name}`)),
  );
  const exists = ({ Condition }: { readonly Condition?: string }) =>
    Condition === undefined || condition(Condition);
  const find = (logicalId: string): TemplateResource => {
    const found = Object.hasOwn(template.resources, logicalId) ? template.resources[logicalId] : undefined;
    if (found === undefined) throw new Error(`there is no ${logicalId}`);
    if (!exists(found))
      throw new Error(`${logicalId} is not there: its condition ${found.Condition} is false`);
    return found;
  };
  const identity = (logicalId: string): Identity => {
    const resource = find(logicalId);
    const known = identities.get(logicalId) ?? identifyResource(scope, logicalId, resource);
    identities.set(logicalId, known);
    return known;
  };
  const scope: StackScope = {
    stack,
    pseudo: pseudoParameters(region ?? settings.region, settings.accountId),
    mappings: template.mappings,
    parameter: (name) => parameterValue(template.parameters, settings.parameters, name),
    condition,
    physicalId: (logicalId) => identity(logicalId).physicalId,
    attribute: (logicalId, name) => attributeOf(logicalId, identity(logicalId), name),
    importValue,
    identity,
    exists,
  };
  return scope;
}

/** The value of a parameter; undefined if there is none of this name. */
function parameterValue(
  parameters: Readonly<Record<string, TemplateParameter>>,
  values: Readonly<Record<string, string>>,
  name: string,
): unknown {
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter === undefined) return undefined;
  const { Type: type = 'String', Default: fallback } = parameter;
  if (values[name] === undefined && type.startsWith('AWS::SSM::Parameter'))
    throw new Error(`the parameter ${name} is kept in Parameter Store, which is not here; give it a value`);
  const value = values[name] ?? fallback;
  if (value === undefined) throw new Error(`the parameter ${name} has no default; give it a value`);
  const isList = type === 'CommaDelimitedList' || type.startsWith('List<');
  return isList && typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : value;
}

function identifyResource(scope: Scope, logicalId: string, resource: TemplateResource): Identity {
  const { stack, pseudo } = scope;
  const property = (name: string) => {
    const value = resource.Properties?.[name];
    if (value === undefined) return undefined;
    const resolved = resolveValue(value, scope, `${stack}/${logicalId}.Properties.${name}`);
    return typeof resolved === 'string' ? resolved : undefined;
  };
  return identify({ stack, logicalId, type: resource.Type, pseudo, property });
}

function attributeOf(logicalId: string, identity: Identity, name: string): string {
  if (name === 'Arn' && identity.arn !== undefined) return identity.arn;
  const found = identity.attributes[name] ?? (identity.madeUp ? `${logicalId}.${name}` : undefined);
  if (found === undefined) throw new Error(`${logicalId} has no attribute ${name} on one machine`);
  return found;
}

function collectExports(stack: TemplateStack, scope: StackScope, exports: Map<string, () => unknown>): void {
  for (const [logicalId, output] of Object.entries(stack.template.outputs)) {
    if (output.Export === undefined || !scope.exists(output)) continue;
    const place = `${stack.name}/Outputs.${logicalId}`;
    const name = resolveValue(output.Export.Name, scope, `${place}.Export.Name`);
    exports.set(String(name), () => resolveValue(output.Value, scope, `${place}.Value`));
  }
}

function resolveStack(
  { name, folder, template, assets }: TemplateStack,
  scope: StackScope,
  settings: ResolveSettings,
): ResolvedStack {
  const existing = <T extends { readonly Condition?: string }>(items: Readonly<Record<string, T>>) =>
    Object.entries(items).filter(([, item]) => scope.exists(item));
  return {
    name,
    folder,
    resources: existing(template.resources)
      .map(([logicalId, resource]) => resolveResource(scope, logicalId, resource))
      .map((resource) =>
        resource.type === 'AWS::Lambda::Function'
          ? withCodeFolder(resource, codeFolder({ folder, assets }, resource, settings.inlineCodeFolder))
          : resource,
      ),
    outputs: Object.fromEntries(
      existing(template.outputs).map(([id, output]) => {
        const value = resolveValue(output.Value, scope, `${name}/Outputs.${id}`);
        return [id, typeof value === 'string' ? value : JSON.stringify(value)];
      }),
    ),
  };
}

function resolveResource(
  scope: StackScope,
  logicalId: string,
  { Type: type, Properties = {}, Metadata: metadata = {} }: TemplateResource,
): ResolvedResource {
  const { stack } = scope;
  const properties = resolveValue(Properties, scope, `${stack}/${logicalId}.Properties`);
  const { physicalId, arn } = scope.identity(logicalId);
  return {
    stack,
    logicalId,
    type,
    physicalId,
    arn,
    properties: properties as Readonly<Record<string, unknown>>,
    metadata,
  };
}

function withCodeFolder(resource: ResolvedResource, folder: string): ResolvedResource {
  return { ...resource, metadata: { ...resource.metadata, 'aws:asset:path': folder } };
}

const EXTENSIONS = ['.mjs', '.js', '.cjs'];

/**
 * The absolute folder of a function's code. It is named by `Metadata["aws:asset:path"]`, by the asset manifest, by a path in
 * `Code` (as `aws cloudformation package` takes it), or it is written from `Code.ZipFile`.
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` if there is none, or it lacks the handler's file
 */
function codeFolder(
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
