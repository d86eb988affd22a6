// Keywords of JSON Schema for checks that zod has as functions, read when docs/schema is written.
import * as z from 'zod/mini';

/** Keywords of JSON Schema, draft 2020-12. */
type Keywords = Readonly<Record<string, unknown>>;

export const schemaNotes = z.registry<Keywords>();

/** Adds keywords of JSON Schema to a schema. They must accept every value that the schema accepts. */
export function noted<Schema extends z.ZodMiniType>(schema: Schema, keywords: Keywords): Schema {
  schemaNotes.add(schema, keywords);
  return schema;
}

/** Keywords for objects with a member; within `oneOf` they make objects with exactly one of several. */
export function needing(member: string): Keywords {
  return { type: 'object', required: [member] };
}
