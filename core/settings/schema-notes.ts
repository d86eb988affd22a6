// What JSON Schema can say of a value where zod has a function: kept beside the schemas, read when docs/schema is written.
import * as z from 'zod/mini';

/** Keywords of JSON Schema, draft 2020-12. */
type Keywords = Readonly<Record<string, unknown>>;

/** Keywords by schema. */
export const schemaNotes = z.registry<Keywords>();

/** The same schema with keywords of JSON Schema. They must accept whatever the schema accepts; nothing enforces what they reject besides. */
export function noted<Schema extends z.ZodMiniType>(schema: Schema, keywords: Keywords): Schema {
  schemaNotes.add(schema, keywords);
  return schema;
}

/** Takes objects with a member; for `oneOf`, which then takes those with exactly one of several. */
export function needing(member: string): Keywords {
  return { type: 'object', required: [member] };
}
