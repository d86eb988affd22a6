// AWS's own specification of resource types, in the copy that the CDK command brings along: what cannot be changed in place, what takes tags.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

interface ResourceType {
  readonly cloudFormationType: string;
  readonly tagInformation?: { readonly tagPropertyName: string };
  readonly properties: Readonly<Record<string, { readonly causesReplacement?: 'yes' | 'no' | 'maybe' }>>;
}

let types: ReadonlyMap<string, ResourceType> | undefined;

function readTypes(): ReadonlyMap<string, ResourceType> {
  const folder = dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json'));
  const { schema } = JSON.parse(gunzipSync(readFileSync(join(folder, 'db.json.gz'))).toString('utf8')) as {
    readonly schema: { readonly resource: { readonly entities: Readonly<Record<string, ResourceType>> } };
  };
  return new Map(Object.values(schema.resource.entities).map((one) => [one.cloudFormationType, one]));
}

function readType(type: string): ResourceType {
  types ??= readTypes();
  const found = types.get(type);
  if (found === undefined) throw new Error(`the CDK command's specification has no ${type}`);
  return found;
}

/** "Update requires: Replacement" in the template reference. Throws on a type that the specification does not have. */
export function replacedBy(type: string): readonly string[] {
  return Object.entries(readType(type).properties)
    .filter(([, { causesReplacement = 'no' }]) => causesReplacement !== 'no')
    .map(([name]) => name);
}

/** The property that takes tags; undefined where a type takes none. */
export function tagProperty(type: string): string | undefined {
  return readType(type).tagInformation?.tagPropertyName;
}
