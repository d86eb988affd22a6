// The flow of a stored version, parsed.
import { type Flow, flowSchema } from './flow-schema.ts';

/** Undefined when the stored flow is none that this release can run. */
export function parseFlow(stored: unknown): Flow | undefined {
  const parsed = flowSchema.safeParse(stored);
  return parsed.success ? parsed.data : undefined;
}
