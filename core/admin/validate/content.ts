// Validates the part of a neuron document that versions fix: its flow, and the variables of its texts.
import type { Organization } from '../../settings/organization-schema.ts';
import { contentOf } from '../apply/changes.ts';
import { below, type PartDiagnostic } from '../diagnostic.ts';
import { validateConversations } from './conversations.ts';
import { validateFlow } from './flow.ts';
import type { ReadNeuron } from './read-documents.ts';
import { validateSize } from './size.ts';
import { validateSplits } from './splits.ts';
import { validateVariables } from './variables.ts';

/** Paths begin at the root of the document. */
export function validateContent(
  neuron: ReadNeuron,
  organization: Organization | undefined,
): PartDiagnostic[] {
  const { source, parsed } = neuron;
  const { flow, variables = {} } = parsed;
  return [
    ...(flow === undefined ? [] : below(['flow'], validateFlow(flow, Object.keys(variables)))),
    ...(flow === undefined ? [] : below(['flow'], validateConversations(flow, source.value, organization))),
    ...validateSplits(parsed),
    ...validateVariables(parsed),
    ...validateSize(['flow'], contentOf(neuron)),
  ];
}
