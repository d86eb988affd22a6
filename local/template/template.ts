// A CloudFormation template as in the file, before anything is resolved.

import { isObject } from '../json.ts';

/** The sections of a template that are read (CloudFormation User Guide, "Template sections"). */
export interface Template {
  readonly parameters: Readonly<Record<string, TemplateParameter>>;
  readonly mappings: Readonly<Record<string, unknown>>;
  readonly conditions: Readonly<Record<string, unknown>>;
  readonly resources: Readonly<Record<string, TemplateResource>>;
  readonly outputs: Readonly<Record<string, TemplateOutput>>;
}

export interface TemplateParameter {
  readonly Type?: string;
  readonly Default?: unknown;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Condition?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

interface TemplateOutput {
  readonly Value: unknown;
  readonly Condition?: string;
  /** Lets other stacks import it. */
  readonly Export?: { readonly Name: unknown };
}

export interface TemplateStack {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** Undefined if the app left it open. */
  readonly region: string | undefined;
  readonly template: Template;
  /** Absolute path of each file asset, by its object key in the assets bucket (`HASH.zip`). */
  readonly assets: ReadonlyMap<string, string>;
}

// Only `Transform` would have an effect that is not supported.
const KNOWN_SECTIONS = new Set([
  'AWSTemplateFormatVersion',
  'Conditions',
  'Description',
  'Mappings',
  'Metadata',
  'Outputs',
  'Parameters',
  'Resources',
  'Rules',
]);

/**
 * Reads a parsed template file.
 * @throws Error that says what is wrong with it
 */
export function readTemplate(value: unknown): Template {
  const sections = section(value, 'the template');
  const unknown = Object.keys(sections).filter((name) => !KNOWN_SECTIONS.has(name));
  if (unknown.length > 0) throw new Error(`the section ${unknown.join(', ')} is not supported`);
  const resources = section(sections['Resources'], 'Resources');
  for (const [logicalId, resource] of Object.entries(resources)) {
    if (typeof section(resource, logicalId)['Type'] !== 'string') throw new Error(`${logicalId} has no Type`);
  }
  return {
    parameters: section(sections['Parameters'] ?? {}, 'Parameters') as Template['parameters'],
    mappings: section(sections['Mappings'] ?? {}, 'Mappings'),
    conditions: section(sections['Conditions'] ?? {}, 'Conditions'),
    resources: resources as Template['resources'],
    outputs: section(sections['Outputs'] ?? {}, 'Outputs') as Template['outputs'],
  };
}

function section(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new Error(`${name} is not an object`);
  return value;
}
