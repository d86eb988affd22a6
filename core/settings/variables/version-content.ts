// The members of a neuron document that versions fix: the flow, and the variables of its texts.
import * as z from 'zod/mini';
import { type Flow, flowSchema, parseFlow } from '../flow-schema.ts';
import type { StoredVersion } from '../stored-settings.ts';
import { parseVariables, type Variables, variablesSchema } from './variables-schema.ts';

export const versionMembers = { variables: z.optional(variablesSchema), flow: z.optional(flowSchema) };

/** A version, ready to be run. */
export interface VersionContent {
  readonly flow: Flow;
  readonly variables: Variables;
}

/** Undefined for a stored version that this release cannot run. */
export function parseVersion(stored: Pick<StoredVersion, 'flow' | 'variables'>): VersionContent | undefined {
  const flow = parseFlow(stored.flow);
  const variables = parseVariables(stored.variables);
  return flow === undefined || variables === undefined ? undefined : { flow, variables };
}
