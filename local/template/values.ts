// Reads single values out of resolved template properties, with errors that name the resource.

import { type LocalFailure, localFailure } from '../failure.ts';
import type { ResolvedResource } from '../template/types.ts';

type Properties = Readonly<Record<string, unknown>>;

/** An error at start that names the resource: `code` is `TEMPLATE_NOT_SUPPORTED`. */
export function templateError(resource: ResolvedResource, text: string): LocalFailure {
  const place = `${resource.stack}/${resource.logicalId} (${resource.type})`;
  return localFailure('TEMPLATE_NOT_SUPPORTED', `${place}: ${text}`);
}

/** The value as an object, or an empty one when it is absent or anything else. */
export function asObject(value: unknown): Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Properties) : {};
}

/** The value as a list, or an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; CloudFormation takes a number or a boolean where text is wanted. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** The value as a number; CloudFormation takes text such as "29000". */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : undefined;
}

/** The value as a map of texts; members that are no text are left out. */
export function asTexts(value: unknown): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, member] of Object.entries(asObject(value))) {
    const text = asText(member);
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

/**
 * A text that must be there.
 * @throws an error that names the resource and the property
 */
export function requiredProperty(resource: ResolvedResource, name: string): string {
  const value = asText(resource.properties[name]);
  if (value === undefined || value === '') throw templateError(resource, `${name} is missing or not a text.`);
  return value;
}
