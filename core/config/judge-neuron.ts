// Judges a neuron document beyond its schema: what its parts say about themselves, and whether its organization has what it names.
import { judgeAccess } from '../access/judge.ts';
import { judgeCaching } from '../cache/judge.ts';
import { judgeFlow } from '../flow/judge.ts';
import type { AddressPolicy } from './address-policy.ts';
import { findPaths } from './find-paths.ts';
import { type Finding, findingAt, type Path, type SourceDocument } from './finding.ts';
import { type BedrockBounds, judgeBedrock, warnOfUnknownStage } from './judge-bedrock.ts';
import { judgeLimits } from './judge-limits.ts';
import { judgeSize } from './judge-size.ts';
import type { Findings, ReadNeuron } from './judged.ts';
import { findNearest } from './members.ts';
import type { Organization } from './organization-schema.ts';

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
export function judgeNeuron(
  neuron: ReadNeuron,
  organization: Organization | undefined,
  bounds: StageBounds,
): Findings {
  const { source, parsed, settings, flow } = neuron;
  const access = judgeAccess(parsed.access, bounds.addresses);
  const limits = judgeLimits(neuron, organization);
  const caching = judgeCaching(parsed);
  const at = (path: Path, findings: readonly { readonly path: Path; readonly message: string }[]) =>
    findings.map((finding) => findingAt(source, [...path, ...finding.path], finding.message));
  return {
    refusals: [
      ...at(['access'], access.refusals),
      ...at([], caching.refusals),
      ...at(['flow'], parsed.flow === undefined ? [] : judgeFlow(parsed.flow)),
      ...judgeDeadline(neuron, bounds),
      ...judgeReferences(source, organization, bounds),
      ...limits.refusals,
      ...judgeSize(source, [], settings),
      ...judgeSize(source, ['flow'], flow ?? []),
    ],
    warnings: [
      ...at(['access'], access.warnings),
      ...limits.warnings,
      ...at([], caching.warnings),
      ...warnOfBufferedDeadline(neuron, bounds),
      ...(organization === undefined || bounds.bedrock !== undefined
        ? []
        : warnOfUnknownStage(source, organization)),
      ...(parsed.flow === undefined ? [findingAt(source, [], WITHOUT_FLOW)] : []),
    ],
  };
}

/** Whether the organization has the providers that a neuron names, and the stage their models: by the text alone, whatever else is wrong with it. */
export function judgeReferences(
  source: SourceDocument,
  organization: Organization | undefined,
  { bedrock }: StageBounds,
): Finding[] {
  if (organization === undefined) return [];
  return [...judgeProviders(source, organization), ...judgeBedrock(source, organization, bedrock)];
}

const WITHOUT_FLOW =
  'has no flow: unless a version of it is deployed already, calls are answered 404 deployment_not_found';

/** The default is cut to what the stage allows; a deadline that was written is not. */
function judgeDeadline({ source, parsed, settings }: ReadNeuron, { maxDeadlineMs }: StageBounds): Finding[] {
  if (settings.deadline === undefined || parsed.deadline <= maxDeadlineMs) return [];
  return [
    findingAt(
      source,
      ['deadline'],
      `must be at most ${maxDeadlineMs / 1000}s, the longest that this stage allows`,
    ),
  ];
}

function warnOfBufferedDeadline({ source, parsed, settings }: ReadNeuron, bounds: StageBounds): Finding[] {
  if (bounds.transferMode !== 'BUFFERED' || settings.deadline === undefined) return [];
  if (parsed.deadline <= BUFFERED_DEADLINE_MS) return [];
  return [findingAt(source, ['deadline'], 'counts as 20s: this stage answers in BUFFERED transfer')];
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

function judgeProviders(source: SourceDocument, { organization, providers }: Organization): Finding[] {
  return PROVIDER_REFERENCES.flatMap(({ at, needs }) =>
    findPaths(source.value, at).flatMap(({ path, value }) => {
      const name = String(value);
      const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
      if (provider === undefined) {
        return [findingAt(source, path, unknownProvider(name, organization, Object.keys(providers)))];
      }
      const makes: readonly string[] = MAKES[provider.type];
      return makes.includes(needs)
        ? []
        : [findingAt(source, path, `${name} is of type ${provider.type}, which makes no ${needs}`)];
    }),
  );
}

function unknownProvider(name: string, organization: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  const named = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return `the organization ${organization} has no provider ${name} (${named})${hint}`;
}
