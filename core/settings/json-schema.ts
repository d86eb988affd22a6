// The JSON Schemas of both documents, with which editors complete and check settings files.
import * as z from 'zod/mini';
import { neuronSchema } from './neuron-schema.ts';
import { organizationSchema } from './organization-schema.ts';
import { schemaNotes } from './schema-notes.ts';

/** A JSON Schema of draft 2020-12, or the part of one. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of each file in docs/schema, by its name. */
interface SettingsSchemas {
  readonly organization: JsonSchema;
  readonly neuron: JsonSchema;
  /** Either document, for files that hold both. */
  readonly settings: JsonSchema;
}

/** The form of documents before parsing. Checks that JSON Schema cannot express are left to `neuron validate`. */
export function toJsonSchemas(): SettingsSchemas {
  const { $schema, ...neuron } = toJsonSchema(neuronSchema);
  return {
    organization: { ...toJsonSchema(organizationSchema), title: 'An organization' },
    neuron: { $schema, title: 'A neuron', ...neuron },
    settings: {
      $schema,
      title: 'A settings document: an organization or a neuron',
      anyOf: [{ $ref: 'organization.schema.json' }, { $ref: 'neuron.schema.json' }],
    },
  };
}

function toJsonSchema(schema: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: schemaNotes });
}
