// Validates names of providers and models, by what the organization and the stage of a neuron have.
import type { AddressPolicy } from '../../settings/address-policy.ts';
import { findNearest } from '../../settings/members.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import { errorAt, type PartDiagnostic } from '../diagnostic.ts';
import { findPaths } from '../find-paths.ts';
import { PROVIDER_REFERENCES } from '../provider-uses.ts';
import { type BedrockBounds, validateBedrock, validateStepGuardrails } from './places/bedrock.ts';

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
  return [
    ...validateProviders(document, organization),
    ...validateBedrock(document, organization, bedrock),
    ...validateStepGuardrails(document, organization, bedrock),
  ];
}

/** By type of provider. */
const MAKES = {
  openai: ['text', 'embeddings'],
  anthropic: ['text'],
  bedrock: ['text', 'embeddings'],
  echo: ['text'],
  lexical: ['embeddings'],
} as const satisfies Record<Organization['providers'][string]['type'], readonly ('text' | 'embeddings')[]>;

/** An error for each provider that the organization lacks, and for each that makes something else. `document` is a neuron as written. */
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

/** Names the providers that there are, and the one that was probably meant. */
export function unknownProvider(name: string, organization: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  const named = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return `the organization ${organization} has no provider ${name} (${named})${hint}`;
}
