// Parses the flow of a stored version.
import { type Flow, flowSchema } from './flow-schema.ts';

/** Undefined for a flow that this release cannot run. */
export function parseFlow(stored: unknown): Flow | undefined {
  const parsed = flowSchema.safeParse(stored);
  return parsed.success ? parsed.data : undefined;
}
