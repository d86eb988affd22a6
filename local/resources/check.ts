// Checks all resources against the lists of supported and ignored types, so that nothing is ignored silently.

import { localFailure } from '../failure.ts';

import type { ResolvedStack } from '../template/types.ts';
import { IGNORED_TYPES } from './ignored-types.ts';
import { type PropertyLists, SUPPORTED_TYPES } from './supported-types.ts';

/**
 * Checks types and properties of all resources.
 * @returns a line for each ignored resource and property, with the reason
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` with all types and properties that are on no list
 */
export function checkResources(stacks: readonly ResolvedStack[]): readonly string[] {
  const problems: string[] = [];
  const notices: string[] = [];
  for (const resource of stacks.flatMap((stack) => stack.resources)) {
    const name = `${resource.stack}/${resource.logicalId} (${resource.type})`;
    const reason = reasonToIgnore(resource.type);
    const lists = SUPPORTED_TYPES[resource.type];
    if (reason !== undefined) notices.push(`${name} is ignored: ${reason}`);
    else if (lists !== undefined) {
      for (const [path, why] of findUnsupported(resource.properties, lists)) {
        if (why === undefined) problems.push(`${name}: the property ${path} is not supported`);
        else notices.push(`${name}: ${path} has no effect: ${why}`);
      }
    } else problems.push(`${name}: the type is not supported`);
  }
  if (problems.length === 0) return notices;
  throw localFailure('TEMPLATE_NOT_SUPPORTED', `The template is not supported:\n  ${problems.join('\n  ')}`);
}

/** Undefined if the type is not ignored. */
function reasonToIgnore(type: string): string | undefined {
  const family = type.split('::').slice(0, 2).join('::');
  return IGNORED_TYPES[type] ?? IGNORED_TYPES[`${family}::*`];
}

// The properties that are not supported: ignored ones with the reason, others without. Properties with listed members are searched,
// also inside lists.
function findUnsupported(
  properties: Readonly<Record<string, unknown>>,
  lists: PropertyLists,
): readonly (readonly [path: string, why: string | undefined])[] {
  const { supported, ignored } = lists;
  const listed = [...supported, ...Object.keys(ignored)];
  const found = new Map<string, string | undefined>();
  const visit = (value: unknown, path: string): void => {
    if (Object.hasOwn(ignored, path)) found.set(path, ignored[path]);
    else if (!listed.some((entry) => entry.startsWith(`${path}.`))) {
      if (!supported.includes(path)) found.set(path, undefined);
    } else if (typeof value === 'object' && value !== null) {
      for (const entry of Array.isArray(value) ? value : [value]) {
        for (const [name, member] of Object.entries(entry ?? {})) visit(member, `${path}.${name}`);
      }
    }
  };
  for (const [name, value] of Object.entries(properties)) visit(value, name);
  return [...found];
}
