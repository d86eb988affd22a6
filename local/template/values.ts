// Reads values of resolved template properties, with errors that name the resource.

import { type LocalFailure, localFailure } from '../failure.ts';
import { isObject } from '../json.ts';
import type { ResolvedResource } from '../template/types.ts';

type Properties = Readonly<Record<string, unknown>>;

/** An error with code `TEMPLATE_NOT_SUPPORTED` that names the resource. */
export function templateError(resource: ResolvedResource, text: string): LocalFailure {
  const place = `${resource.stack}/${resource.logicalId} (${resource.type})`;
  return localFailure('TEMPLATE_NOT_SUPPORTED', `${place}: ${text}`);
}

/** The value as an object; empty for anything else. */
export function asObject(value: unknown): Properties {
  return isObject(value) ? value : {};
}

/** The value as a list; empty for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; CloudFormation accepts a number or a boolean for text. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** The value as a number; CloudFormation accepts text such as "29000". */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : undefined;
}

/** The value as a map of texts; other members are left out. */
export function asTexts(value: unknown): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, member] of Object.entries(asObject(value))) {
    const text = asText(member);
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

/**
 * A required text.
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED`
 */
export function requiredProperty(resource: ResolvedResource, name: string): string {
  const value = asText(resource.properties[name]);
  if (value === undefined || value === '') throw templateError(resource, `${name} is missing or not a text.`);
  return value;
}
