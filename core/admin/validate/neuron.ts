// Judges a neuron document beyond its schema: what its parts say about themselves, and whether its organization has what it names.

import type { AddressPolicy } from '../../settings/address-policy.ts';
import { findNearest } from '../../settings/members.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import { type Diagnostic, diagnosticAt, type Path, type SourceDocument } from '../diagnostic.ts';
import { findPaths } from '../find-paths.ts';
import { validateAccess } from './access.ts';
import { type BedrockBounds, validateBedrock, warnOfUnknownStage } from './bedrock.ts';
import { validateCaching } from './caching.ts';
import { validateFlow } from './flow.ts';
import { validateLimits } from './neuron-limits.ts';
import { validateSize } from './size.ts';
import type { Diagnostics, ReadNeuron } from './validated.ts';

/** What the stack that the document is for allows. */
export interface StageBounds {
  readonly addresses: AddressPolicy;
  readonly maxDeadlineMs: number;
  /** In BUFFERED transfer at most 20 s of a deadline count. */
  readonly transferMode: 'STREAM' | 'BUFFERED';
  /** Undefined where nobody knows the stage: then models on Bedrock are judged by the form of their ids alone. */
  readonly bedrock?: BedrockBounds | undefined;
}

const BUFFERED_DEADLINE_MS = 20_000;

/** Judges one neuron; `organization` is undefined where it is not known, and what depends on it is not judged. */
export function validateNeuron(
  neuron: ReadNeuron,
  organization: Organization | undefined,
  bounds: StageBounds,
): Diagnostics {
  const { source, parsed, settings, flow } = neuron;
  const access = validateAccess(parsed.access, bounds.addresses);
  const limits = validateLimits(neuron, organization);
  const caching = validateCaching(parsed);
  const at = (path: Path, findings: readonly { readonly path: Path; readonly message: string }[]) =>
    findings.map((finding) => diagnosticAt(source, [...path, ...finding.path], finding.message));
  return {
    refusals: [
      ...at(['access'], access.refusals),
      ...at([], caching.refusals),
      ...at(['flow'], parsed.flow === undefined ? [] : validateFlow(parsed.flow)),
      ...validateDeadline(neuron, bounds),
      ...validateReferences(source, organization, bounds),
      ...limits.refusals,
      ...validateSize(source, [], settings),
      ...validateSize(source, ['flow'], flow ?? []),
    ],
    warnings: [
      ...at(['access'], access.warnings),
      ...limits.warnings,
      ...at([], caching.warnings),
      ...warnOfBufferedDeadline(neuron, bounds),
      ...(organization === undefined || bounds.bedrock !== undefined
        ? []
        : warnOfUnknownStage(source, organization)),
      ...(parsed.flow === undefined ? [diagnosticAt(source, [], WITHOUT_FLOW)] : []),
    ],
  };
}

/** Whether the organization has the providers that a neuron names, and the stage their models: by the text alone, whatever else is wrong with it. */
export function validateReferences(
  source: SourceDocument,
  organization: Organization | undefined,
  { bedrock }: StageBounds,
): Diagnostic[] {
  if (organization === undefined) return [];
  return [...validateProviders(source, organization), ...validateBedrock(source, organization, bedrock)];
}

const WITHOUT_FLOW =
  'has no flow: unless a version of it is deployed already, calls are answered 404 deployment_not_found';

/** The default is cut to what the stage allows; a deadline that was written is not. */
function validateDeadline(
  { source, parsed, settings }: ReadNeuron,
  { maxDeadlineMs }: StageBounds,
): Diagnostic[] {
  if (settings.deadline === undefined || parsed.deadline <= maxDeadlineMs) return [];
  return [
    diagnosticAt(
      source,
      ['deadline'],
      `must be at most ${maxDeadlineMs / 1000}s, the longest that this stage allows`,
    ),
  ];
}

function warnOfBufferedDeadline({ source, parsed, settings }: ReadNeuron, bounds: StageBounds): Diagnostic[] {
  if (bounds.transferMode !== 'BUFFERED' || settings.deadline === undefined) return [];
  if (parsed.deadline <= BUFFERED_DEADLINE_MS) return [];
  return [diagnosticAt(source, ['deadline'], 'counts as 20s: this stage answers in BUFFERED transfer')];
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

function validateProviders(source: SourceDocument, { organization, providers }: Organization): Diagnostic[] {
  return PROVIDER_REFERENCES.flatMap(({ at, needs }) =>
    findPaths(source.value, at).flatMap(({ path, value }) => {
      const name = String(value);
      const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
      if (provider === undefined) {
        return [diagnosticAt(source, path, unknownProvider(name, organization, Object.keys(providers)))];
      }
      const makes: readonly string[] = MAKES[provider.type];
      return makes.includes(needs)
        ? []
        : [diagnosticAt(source, path, `${name} is of type ${provider.type}, which makes no ${needs}`)];
    }),
  );
}

function unknownProvider(name: string, organization: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  const named = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return `the organization ${organization} has no provider ${name} (${named})${hint}`;
}
