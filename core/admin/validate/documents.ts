// Judges all given documents together, before the first write: every refusal and every warning at once.

import { type Organization, organizationSchema } from '../../settings/organization-schema.ts';
import type { Given } from '../apply/changes.ts';
import { type Diagnostic, diagnosticAt, type Path, type SourceDocument } from '../diagnostic.ts';
import { type StageBounds, validateNeuron, validateReferences } from './neuron.ts';
import { validateOrganization } from './organization.ts';
import { type ReadDocuments, type Remaining, readDocuments } from './read-documents.ts';
import type { Diagnostics, ReadNeuron, ReadOrganization } from './validated.ts';
import { holdsWithout } from './without-broken.ts';

/** What documents are judged against. */
export interface ValidationContext extends StageBounds {
  /** Documents of stored organizations by slug, as far as neurons name them; undefined offline, where nobody knows. */
  readonly stored: ReadonlyMap<string, unknown> | undefined;
  /** False when a file could not be read: what seems to be missing may be in it. */
  readonly complete: boolean;
}

/** All findings, and the documents to plan with, which nobody may use while there is a refusal. */
export interface Validation extends Diagnostics {
  readonly given: Given;
}

/** Judges every document by itself and all of them together. */
export function validateDocuments(
  documents: readonly SourceDocument[],
  context: ValidationContext,
): Validation {
  const read = readDocuments(documents);
  const validateOwned = (neuron: ReadNeuron): Diagnostics => {
    const owner = findOrganization(neuron, read, context);
    const { refusals, warnings } = validateNeuron(neuron, owner.organization, context);
    return { refusals: [...owner.refusals, ...refusals], warnings: [...owner.warnings, ...warnings] };
  };
  const neurons = read.neurons.map(validateOwned);
  const organizations = read.organizations.map((one) => validateOrganization(one, context.addresses));
  return {
    given: { organizations: read.organizations, neurons: read.neurons },
    refusals: [
      ...read.refusals,
      ...refuseDuplicates(read),
      ...[...organizations, ...neurons].flatMap(({ refusals }) => refusals),
      ...validateRemaining(
        read.remaining.organizations,
        (one) => validateOrganization(one, context.addresses).refusals,
      ),
      ...validateRemaining(read.remaining.neurons, (one) => validateOwned(one).refusals),
      ...read.remaining.neurons.flatMap((one) => validateRemoved(one, read, context)),
    ].sort(byPlace),
    warnings: [...organizations, ...neurons].flatMap(({ warnings }) => warnings).sort(byPlace),
  };
}

/** What is wrong with refused documents besides what their schema says, as far as it does not hang on that. */
function validateRemaining<Document>(
  remaining: readonly Remaining<Document>[],
  judge: (document: Document) => readonly Diagnostic[],
): Diagnostic[] {
  return remaining.flatMap(({ document, removed }) =>
    judge(document).filter(({ path }) => holdsWithout(removed, path)),
  );
}

/** What the members that were left out name, but for the places that the schema refuses itself. */
function validateRemoved(
  { document, removed, whole, faults }: Remaining<ReadNeuron>,
  read: ReadDocuments,
  context: ValidationContext,
): Diagnostic[] {
  const { organization } = findOrganization(document, read, context);
  return validateReferences(whole, organization, context).filter(
    ({ path }) => removed.has(String(path[0])) && !faults.some((fault) => isWithin(path, fault)),
  );
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((part, index) => path[index] === part);
}

/** The organizations that neurons name and no document gives: what `ValidationContext.stored` is to hold. */
export function findNamedOrganizations(documents: readonly SourceDocument[]): string[] {
  const { neurons, organizations, remaining } = readDocuments(documents);
  const given = new Set(organizations.map(({ slug }) => slug));
  const named = [...neurons, ...remaining.neurons.map(({ document }) => document)];
  return [...new Set(named.map(({ organization }) => organization))].filter((slug) => !given.has(slug));
}

interface Owner extends Diagnostics {
  readonly organization?: Organization;
}

function findOrganization(neuron: ReadNeuron, read: ReadDocuments, context: ValidationContext): Owner {
  const { organization: slug, source } = neuron;
  const none = { refusals: [], warnings: [] };
  const given = read.organizations.find((organization) => organization.slug === slug);
  if (given !== undefined) return { ...none, organization: given.parsed };
  if (read.broken.has(slug) || !context.complete) return none;
  if (context.stored === undefined) {
    return { ...none, warnings: [diagnosticAt(source, ['neuron'], unchecked(slug))] };
  }
  if (!context.stored.has(slug))
    return { ...none, refusals: [diagnosticAt(source, ['neuron'], unknown(slug))] };
  const parsed = organizationSchema.safeParse(context.stored.get(slug));
  if (parsed.success) return { ...none, organization: parsed.data };
  return { ...none, refusals: [diagnosticAt(source, ['neuron'], unusable(slug))] };
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

function refuseDuplicates({ organizations, neurons }: ReadDocuments): Diagnostic[] {
  return [
    ...findDuplicates(organizations, ({ slug }) => slug, 'organization'),
    ...findDuplicates(neurons, ({ organization, slug }) => `${organization}/${slug}`, 'neuron'),
  ];
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
    return [
      diagnosticAt(
        document.source,
        [member],
        `${name} is given already at ${file}:${line}; keep one of them`,
      ),
    ];
  });
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
