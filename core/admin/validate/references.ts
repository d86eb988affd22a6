// Validates names of providers and models, by what the organization and the stage of a neuron have.
import type { AddressPolicy } from '../../settings/address-policy.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import type { PartDiagnostic } from '../diagnostic.ts';
import { type BedrockBounds, validateBedrock } from './bedrock.ts';
import { validateProviders } from './providers.ts';

/** Bounds of the stage that the document is for. */
export interface StageBounds {
  readonly addresses: AddressPolicy;
  readonly maxDeadlineMs: number;
  /** In BUFFERED transfer at most 20 s of a deadline count. */
  readonly transferMode: 'STREAM' | 'BUFFERED';
  /** Undefined where the stage is unknown: then of models on Bedrock only the form of their ids is validated. */
  readonly bedrock?: BedrockBounds | undefined;
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
