// Resolves all stacks of an assembly together, so that one can use what another exports.

import { localFailure } from '../failure.ts';
import { codeFolder } from './code-folder.ts';
import { createConditions, evaluateCondition } from './conditions.ts';
import { type Identity, identify } from './identities.ts';
import { parameterValue } from './parameters.ts';
import { ResolveError, resolveValue } from './resolve.ts';
import type { Scope } from './scope.ts';
import type { TemplateResource, TemplateStack } from './template.ts';
import type { PseudoParameters, ResolvedResource, ResolvedStack } from './types.ts';

/** Settings for resolving, besides the stacks. */
export interface ResolveSettings {
  /** The region of a stack whose app left it open. */
  readonly region: string;
  readonly accountId: string;
  /** Values of template parameters, by name, in place of their defaults. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What the functions of custom resources answered, by `STACK/LOGICAL_ID`. */
  readonly customResources: ReadonlyMap<string, CustomResourceResult>;
  /** Where code that is written in the template itself is put. */
  readonly inlineCodeFolder: string;
}

/** What became of a custom resource. */
export interface CustomResourceResult {
  readonly physicalId: string;
  /** What `Fn::GetAtt` gives, by attribute. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Resolves the stacks. A resource whose condition is false is left out; a function's `Metadata` holds the absolute
 * `aws:asset:path` of its code afterwards, wherever the template had it.
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
  const scopes = stacks.map((stack) => createScope(stack, settings, importValue));
  try {
    stacks.forEach((stack, index) => {
      const scope = scopes[index];
      if (scope !== undefined) collectExports(stack, scope, exports);
    });
    return stacks.map((stack, index) => resolveStack(stack, scopes[index] as StackScope, settings));
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
  const pseudo = pseudoParameters(region ?? settings.region, settings.accountId);
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
    const known = identities.get(logicalId) ?? identifyResource(scope, logicalId, resource, settings);
    identities.set(logicalId, known);
    return known;
  };
  const scope: StackScope = {
    stack,
    pseudo,
    mappings: template.mappings,
    parameter: (name) => parameterValue(template.parameters, settings.parameters, name),
    condition,
    physicalId: (logicalId) => identity(logicalId).physicalId,
    attribute: (logicalId, name) =>
      attributeOf(find(logicalId).Type, logicalId, identity(logicalId), name, () =>
        settings.customResources.get(`${stack}/${logicalId}`),
      ),
    importValue,
    identity,
    exists,
  };
  return scope;
}

function pseudoParameters(region: string, accountId: string): PseudoParameters {
  const china = region.startsWith('cn-');
  return {
    accountId,
    region,
    partition: china ? 'aws-cn' : 'aws',
    urlSuffix: china ? 'amazonaws.com.cn' : 'amazonaws.com',
  };
}

function identifyResource(
  scope: Scope,
  logicalId: string,
  resource: TemplateResource,
  settings: ResolveSettings,
): Identity {
  const result = settings.customResources.get(`${scope.stack}/${logicalId}`);
  if (result !== undefined) return { physicalId: result.physicalId, attributes: {} };
  return identify({
    stack: scope.stack,
    logicalId,
    type: resource.Type,
    pseudo: scope.pseudo,
    property: (name) => {
      const value = resource.Properties?.[name];
      if (value === undefined) return undefined;
      const resolved = resolveValue(value, scope, `${scope.stack}/${logicalId}.Properties.${name}`);
      return typeof resolved === 'string' ? resolved : undefined;
    },
  });
}

/** Whether a type is a custom resource: one that a function of the template makes. */
export function isCustomResource(type: string): boolean {
  return type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource';
}

function attributeOf(
  type: string,
  logicalId: string,
  identity: Identity,
  name: string,
  customResult: () => CustomResourceResult | undefined,
): unknown {
  // Before its function has answered, a custom resource has no attributes; this text takes their place.
  if (isCustomResource(type)) {
    const result = customResult();
    return result === undefined
      ? `\${${logicalId}.${name}}`
      : (result.data[name] ?? missing(logicalId, name));
  }
  if (name === 'Arn' && identity.arn !== undefined) return identity.arn;
  return identity.attributes[name] ?? (identity.madeUp ? `${logicalId}.${name}` : missing(logicalId, name));
}

function missing(logicalId: string, name: string): never {
  throw new Error(`${logicalId} has no attribute ${name} on one machine`);
}

function collectExports(stack: TemplateStack, scope: StackScope, exports: Map<string, () => unknown>): void {
  for (const [logicalId, output] of Object.entries(stack.template.outputs)) {
    if (output.Export === undefined || !scope.exists(output)) continue;
    const place = `${stack.name}/Outputs.${logicalId}`;
    const name = resolveValue(output.Export.Name, scope, `${place}.Export.Name`);
    exports.set(String(name), () => resolveValue(output.Value, scope, `${place}.Value`));
  }
}

function resolveStack(stack: TemplateStack, scope: StackScope, settings: ResolveSettings): ResolvedStack {
  const { resources, outputs } = stack.template;
  return {
    name: stack.name,
    folder: stack.folder,
    resources: Object.entries(resources)
      .filter(([, resource]) => scope.exists(resource))
      .map(([logicalId, resource]) => resolveResource(stack, scope, logicalId, resource, settings)),
    outputs: Object.fromEntries(
      Object.entries(outputs)
        .filter(([, output]) => scope.exists(output))
        .map(([id, output]) => [
          id,
          asOutput(resolveValue(output.Value, scope, `${stack.name}/Outputs.${id}`)),
        ]),
    ),
  };
}

function asOutput(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function resolveResource(
  stack: TemplateStack,
  scope: StackScope,
  logicalId: string,
  resource: TemplateResource,
  settings: ResolveSettings,
): ResolvedResource {
  const place = `${stack.name}/${logicalId}`;
  const properties = resolveValue(resource.Properties ?? {}, scope, `${place}.Properties`);
  const { physicalId, arn } = scope.identity(logicalId);
  const resolved = {
    stack: stack.name,
    logicalId,
    type: resource.Type,
    physicalId,
    arn,
    properties: properties as Readonly<Record<string, unknown>>,
    metadata: resource.Metadata ?? {},
  };
  if (resource.Type !== 'AWS::Lambda::Function') return resolved;
  const folder = codeFolder(stack, resolved, settings.inlineCodeFolder);
  return { ...resolved, metadata: { ...resolved.metadata, 'aws:asset:path': folder } };
}
