// Validates against the schemas that OpenAI publishes: an excerpt, whose source and version it names itself.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import published from './published-schema.generated.json' with { type: 'json' };

/** The fields of a request, and the version of the document that they are from. */
export const { requestFields: PUBLISHED_FIELDS, version: PUBLISHED_VERSION } = published;

const ajv = new Ajv2020({ validateFormats: false, strict: false, allErrors: true });
ajv.addSchema({ $id: 'openai', $defs: withNull(published.$defs) as object });

export type PublishedSchema =
  | 'CreateChatCompletionResponse'
  | 'CreateChatCompletionStreamResponse'
  | 'ErrorResponse'
  | 'ListModelsResponse'
  | 'Model';

/** What is wrong with a value; empty for one that fits. */
export function violationsOf(schema: PublishedSchema, value: unknown): readonly string[] {
  const validate = ajv.getSchema(`openai#/$defs/${schema}`) as ValidateFunction;
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${schema}${instancePath} ${message}`);
}

/** The document says `nullable` in places, a word of OpenAPI 3.0 that JSON Schema does not know. */
function withNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNull);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = schema as Record<string, unknown>;
  const inner = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, withNull(member)]));
  return nullable === true ? { anyOf: [inner, { type: 'null' }] } : inner;
}
