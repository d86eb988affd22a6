// Validates all given documents together, before the first write: every error and every warning at once.

import { type Organization, organizationSchema } from '../../settings/organization-schema.ts';
import type { SettingsInput } from '../apply/changes.ts';
import {
  byPlace,
  type Diagnostic,
  errorAt,
  locateAll,
  type PartDiagnostic,
  type SourceDocument,
  warningAt,
} from '../diagnostic.ts';
import { validateLibrary } from './guards.ts';
import { validateUsageLimits } from './limits/limits.ts';
import { validateNeuron } from './neuron.ts';
import { type PlaceContext, validatePlaces } from './places/places.ts';
import {
  type PartialDocument,
  type ReadDocuments,
  type ReadNeuron,
  type ReadOrganization,
  readDocuments,
} from './read-documents.ts';
import { type StageBounds, validateReferences } from './references.ts';
import { validateSize } from './size.ts';
import { isTrueOfWhole } from './valid-members.ts';

export interface ValidationContext extends StageBounds, PlaceContext {
  /** Documents of stored organizations by slug, as far as neurons name them; undefined offline, where they are unknown. */
  readonly stored: ReadonlyMap<string, unknown> | undefined;
  /** False when a file could not be read: what seems to be missing may be in it. */
  readonly complete: boolean;
}

/** The diagnostics in order of place, and the documents to plan with, which must not be used while there is an error. */
interface Validation {
  readonly input: SettingsInput;
  readonly diagnostics: readonly Diagnostic[];
}

/** Validates every document by itself and all of them together. */
export function validateDocuments(
  documents: readonly SourceDocument[],
  context: ValidationContext,
): Validation {
  const read = readDocuments(documents);
  const checkOrganization = (one: ReadOrganization) =>
    locateAll(one.source, validateOrganization(one, context));
  const checkNeuron = (one: ReadNeuron) => {
    const owner = findOrganization(one, read, context);
    const own = validateNeuron(one, owner.organization, context);
    return locateAll(one.source, [...owner.diagnostics, ...own]);
  };
  return {
    input: { organizations: read.organizations, neurons: read.neurons },
    diagnostics: [
      ...read.errors,
      ...findDuplicates(read.organizations, ({ slug }) => slug, 'organization'),
      ...findDuplicates(read.neurons, ({ organization, slug }) => `${organization}/${slug}`, 'neuron'),
      ...read.organizations.flatMap(checkOrganization),
      ...read.neurons.flatMap(checkNeuron),
      ...read.partial.organizations.flatMap((one) => validatePartial(one, checkOrganization)),
      ...read.partial.neurons.flatMap((one) => validatePartial(one, checkNeuron)),
      ...read.partial.neurons.flatMap((one) => validateRemoved(one, read, context)),
    ].sort(byPlace),
  };
}

/** The errors of a rejected document besides those of its schema, as far as they do not depend on what is left out. */
function validatePartial<Document>(
  { document, removed }: PartialDocument<Document>,
  validate: (document: Document) => readonly Diagnostic[],
): Diagnostic[] {
  return validate(document).filter(
    ({ severity, path }) => severity === 'error' && isTrueOfWhole(removed, path),
  );
}

/** The references in members that are left out, but for the places that have an error of the schema. */
function validateRemoved(
  { document, removed, whole, invalid }: PartialDocument<ReadNeuron>,
  read: ReadDocuments,
  context: ValidationContext,
): Diagnostic[] {
  const { organization } = findOrganization(document, read, context);
  const references = validateReferences(whole.value, organization, context);
  return locateAll(
    whole,
    references.filter(
      ({ path }) => removed.has(String(path[0])) && !invalid.some((outer) => isWithin(path, outer)),
    ),
  );
}

function isWithin(path: PartDiagnostic['path'], outer: PartDiagnostic['path']): boolean {
  return outer.every((part, index) => path[index] === part);
}

/** The organizations that neurons name and no document gives: what `ValidationContext.stored` is to hold. */
export function findNamedOrganizations(documents: readonly SourceDocument[]): string[] {
  const { neurons, organizations, partial } = readDocuments(documents);
  const input = new Set(organizations.map(({ slug }) => slug));
  const named = [...neurons, ...partial.neurons.map(({ document }) => document)];
  return [...new Set(named.map(({ organization }) => organization))].filter((slug) => !input.has(slug));
}

interface Owner {
  readonly organization?: Organization;
  readonly diagnostics: readonly PartDiagnostic[];
}

function findOrganization(neuron: ReadNeuron, read: ReadDocuments, context: ValidationContext): Owner {
  const { organization: slug } = neuron;
  const input = read.organizations.find((organization) => organization.slug === slug);
  if (input !== undefined) return { organization: input.parsed, diagnostics: [] };
  if (read.invalidOrganizations.has(slug) || !context.complete) return { diagnostics: [] };
  if (context.stored === undefined) return { diagnostics: [warningAt(['neuron'], unchecked(slug))] };
  if (!context.stored.has(slug)) return { diagnostics: [errorAt(['neuron'], unknown(slug))] };
  const parsed = organizationSchema.safeParse(context.stored.get(slug));
  if (parsed.success) return { organization: parsed.data, diagnostics: [] };
  return { diagnostics: [errorAt(['neuron'], unusable(slug))] };
}

function unchecked(slug: string): string {
  return `the organization ${slug} is not in these files, so its providers were not checked`;
}

function unknown(slug: string): string {
  return `there is no organization ${slug}, neither stored nor in these files: add a document with \`organization: ${slug}\``;
}

function unusable(slug: string): string {
  return `the stored settings of the organization ${slug} cannot be used by this release: give its document too`;
}

function findDuplicates<T extends ReadOrganization | ReadNeuron>(
  documents: readonly T[],
  nameOf: (document: T) => string,
  member: 'organization' | 'neuron',
): Diagnostic[] {
  const first = new Map<string, T>();
  return documents.flatMap((document) => {
    const name = nameOf(document);
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, document);
      return [];
    }
    const { file, line } = before.source.locate([member]);
    return locateAll(document.source, [
      errorAt([member], `${name} is given already at ${file}:${line}; keep one of them`),
    ]);
  });
}

/** Every error and warning; paths begin at the root of the document. */
function validateOrganization(
  { document, parsed }: ReadOrganization,
  context: ValidationContext,
): PartDiagnostic[] {
  const keyless = Object.entries(parsed.providers).flatMap(([name, provider]) =>
    provider.type === 'openai' && provider.auth !== undefined && provider.apiKey === undefined
      ? [
          errorAt(
            ['providers', name, 'auth'],
            'says how apiKey is sent, and there is none: add apiKey, or take auth out',
          ),
        ]
      : [],
  );
  return [
    ...validatePlaces(parsed, context),
    ...keyless,
    ...validateLibrary(parsed),
    ...validateUsageLimits(parsed),
    ...validateSize([], document),
  ];
}
