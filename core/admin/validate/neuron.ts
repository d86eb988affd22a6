// Validates a neuron document beyond its schema: what its parts say about themselves, and whether its organization has what it names.

import type { Organization } from '../../settings/organization-schema.ts';
import { BUILT_IN_GUARDS } from '../../settings/rollout-schema.ts';
import { below, errorAt, type PartDiagnostic, warningAt } from '../diagnostic.ts';
import { validateAccess } from './access/access.ts';
import { validateCaching } from './caching.ts';
import { validateContent } from './content.ts';
import { validateGuards } from './guards.ts';
import { validateLimitsOfModels, validateNames, withFirstModel } from './names.ts';
import { warnOfUnknownStage } from './places/bedrock.ts';
import type { ReadNeuron } from './read-documents.ts';
import { type StageBounds, validateReferences } from './references.ts';
import { validateSize } from './size.ts';

const BUFFERED_DEADLINE_MS = 20_000;

/**
 * Validates one neuron; paths begin at the root of its document. `organization` is undefined where it is not known: what depends on
 * it is then not validated.
 */
export function validateNeuron(
  neuron: ReadNeuron,
  organization: Organization | undefined,
  bounds: StageBounds,
): PartDiagnostic[] {
  const { source, parsed, settings } = neuron;
  return [
    ...below(['access'], validateAccess(parsed.access, bounds.addresses)),
    ...validateCaching(parsed),
    ...validateTool(neuron),
    ...validateGuards(parsed, organization),
    ...validateContent(neuron, organization),
    ...validateRollout(parsed),
    ...validateDeadline(neuron, bounds),
    ...validateNames(neuron),
    ...validateReferences(withFirstModel(source.value, neuron), organization, bounds),
    ...validateLimitsOfModels(neuron, organization),
    ...validateSize([], settings),
    ...(organization === undefined || bounds.bedrock !== undefined
      ? []
      : warnOfUnknownStage(source.value, organization)),
    ...(parsed.flow === undefined ? [warningAt([], WITHOUT_FLOW)] : []),
  ];
}

/** Guards of rollouts are built in, or metrics that callers can send. */
function validateRollout({ rollout, feedback }: ReadNeuron['parsed']): PartDiagnostic[] {
  const known = [...BUILT_IN_GUARDS, ...Object.keys(feedback?.metrics ?? {})];
  const message = `is no metric of feedback, and not ${BUILT_IN_GUARDS.join(', ')}`;
  return (rollout?.guards ?? []).flatMap((guard, at) =>
    known.includes(guard) ? [] : [errorAt(['rollout', 'guards', at], message)],
  );
}

/** A tool is called with an API key, and answers with a text. */
function validateTool({ parsed }: ReadNeuron): PartDiagnostic[] {
  if (parsed.mcp === undefined) return [];
  if (parsed.access.apiKey !== true && parsed.access.public !== true) {
    const message =
      'is for callers with an API key, but access has no apiKey. Add `apiKey: true`, or remove it.';
    return [errorAt(['mcp'], message)];
  }
  const embeds = parsed.flow?.some((step) => 'embed' in step) === true;
  return embeds
    ? [errorAt(['mcp'], 'is for neurons that answer with a text, and this one answers with vectors')]
    : [];
}

const WITHOUT_FLOW =
  'has no flow: unless a version of it is deployed already, calls are answered 404 deployment_not_found';

/** The default is cut to what the stage allows; a deadline that was written is not. */
function validateDeadline(
  { parsed, settings }: ReadNeuron,
  { maxDeadlineMs, transferMode }: StageBounds,
): PartDiagnostic[] {
  if (settings.deadline === undefined) return [];
  const tooLong = `must be at most ${maxDeadlineMs / 1000}s, the longest that this stage allows`;
  const cut = 'counts as 20s: this stage answers in BUFFERED transfer';
  return [
    ...(parsed.deadline > maxDeadlineMs ? [errorAt(['deadline'], tooLong)] : []),
    ...(transferMode === 'BUFFERED' && parsed.deadline > BUFFERED_DEADLINE_MS
      ? [warningAt(['deadline'], cut)]
      : []),
  ];
}
