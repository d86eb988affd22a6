// The JSON Schemas of the documents, with which editors complete and check settings files.
import * as z from 'zod/mini';
import { neuronSchema } from './neuron-schema.ts';
import { organizationSchema } from './organization-schema.ts';
import { schemaNotes } from './schema-notes.ts';
import { testsSchema } from './tests/tests-schema.ts';

/** A JSON Schema of draft 2020-12, or the part of one. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of each file in docs/schema, by its name. */
interface SettingsSchemas {
  readonly organization: JsonSchema;
  readonly neuron: JsonSchema;
  readonly tests: JsonSchema;
  /** Any of the documents, for files that hold several. */
  readonly settings: JsonSchema;
}

/** The form of documents before parsing. Checks that JSON Schema cannot express are left to `neuron validate`. */
export function toJsonSchemas(): SettingsSchemas {
  const { $schema, ...neuron } = toJsonSchema(neuronSchema);
  return {
    organization: { ...toJsonSchema(organizationSchema), title: 'An organization' },
    neuron: { $schema, title: 'A neuron', ...neuron },
    tests: { ...toJsonSchema(testsSchema), title: 'Tests of a neuron' },
    settings: {
      $schema,
      title: 'A settings document: an organization, a neuron or tests of one',
      anyOf: [
        { $ref: 'organization.schema.json' },
        { $ref: 'neuron.schema.json' },
        { $ref: 'tests.schema.json' },
      ],
    },
  };
}

function toJsonSchema(schema: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: schemaNotes });
}
