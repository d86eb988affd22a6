// Validates a neuron document beyond its schema: what its parts say about themselves, and whether its organization has what it names.

import { memberOf } from '../../contract/json.ts';
import type { AddressPolicy } from '../../settings/address-policy.ts';
import { findNearest } from '../../settings/members.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import { below, errorAt, type PartDiagnostic, warningAt } from '../diagnostic.ts';
import { findPaths } from '../find-paths.ts';
import { validateAccess } from './access/access.ts';
import { type BedrockBounds, validateBedrock, warnOfUnknownStage } from './bedrock.ts';
import { validateCaching } from './caching.ts';
import { validateConversations } from './conversations.ts';
import { validateFlow } from './flow.ts';
import { validateRateLimits } from './limits/limits.ts';
import type { ReadNeuron } from './read-documents.ts';
import { validateSize } from './size.ts';

/** What the stack that the document is for allows. */
export interface StageBounds {
  readonly addresses: AddressPolicy;
  readonly maxDeadlineMs: number;
  /** In BUFFERED transfer at most 20 s of a deadline count. */
  readonly transferMode: 'STREAM' | 'BUFFERED';
  /** Undefined where the stage is unknown: then of models on Bedrock only the form of their ids is validated. */
  readonly bedrock?: BedrockBounds | undefined;
}

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
  const { source, parsed, settings, flow } = neuron;
  return [
    ...below(['access'], validateAccess(parsed.access, bounds.addresses)),
    ...validateCaching(parsed),
    ...(parsed.flow === undefined ? [] : below(['flow'], validateFlow(parsed.flow))),
    ...(parsed.flow === undefined
      ? []
      : below(['flow'], validateConversations(parsed.flow, memberOf(source.value, 'flow'), organization))),
    ...validateDeadline(neuron, bounds),
    ...validateReferences(source.value, organization, bounds),
    ...validateRateLimits(parsed, { organization: neuron.organization, settings: organization }),
    ...validateSize([], settings),
    ...validateSize(['flow'], flow ?? []),
    ...(organization === undefined || bounds.bedrock !== undefined
      ? []
      : warnOfUnknownStage(source.value, organization)),
    ...(parsed.flow === undefined ? [warningAt([], WITHOUT_FLOW)] : []),
  ];
}

/**
 * Whether the organization has the providers that a neuron names, and the stage their models. Goes by the document as written, so
 * that it works beside errors of the schema.
 */
export function validateReferences(
  document: unknown,
  organization: Organization | undefined,
  { bedrock }: StageBounds,
): PartDiagnostic[] {
  if (organization === undefined) return [];
  return [...validateProviders(document, organization), ...validateBedrock(document, organization, bedrock)];
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

/** Where a neuron names a provider, and what the provider must be able to do there. */
const PROVIDER_REFERENCES = [
  { at: ['flow', '**', 'callModel', 'provider'], needs: 'text' },
  { at: ['flow', '**', 'callModel', 'fallbacks', '*', 'provider'], needs: 'text' },
  { at: ['caching', 'semantic', 'embedding', 'provider'], needs: 'embeddings' },
] as const;

/** What each type of provider makes. */
const MAKES = {
  openai: ['text', 'embeddings'],
  anthropic: ['text'],
  bedrock: ['text', 'embeddings'],
  echo: ['text'],
  lexical: ['embeddings'],
} as const satisfies Record<Organization['providers'][string]['type'], readonly ('text' | 'embeddings')[]>;

function validateProviders(document: unknown, { organization, providers }: Organization): PartDiagnostic[] {
  return PROVIDER_REFERENCES.flatMap(({ at, needs }) =>
    findPaths(document, at).flatMap(({ path, value }) => {
      const name = String(value);
      const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
      if (provider === undefined) {
        return [errorAt(path, unknownProvider(name, organization, Object.keys(providers)))];
      }
      const makes: readonly string[] = MAKES[provider.type];
      return makes.includes(needs)
        ? []
        : [errorAt(path, `${name} is of type ${provider.type}, which makes no ${needs}`)];
    }),
  );
}

function unknownProvider(name: string, organization: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  const named = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return `the organization ${organization} has no provider ${name} (${named})${hint}`;
}
