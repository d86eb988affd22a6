// Reads the documents of settings files by their schemas, all errors at once.
import type * as z from 'zod/mini';
import { type NeuronDocument, neuronSchema } from '../../settings/neuron-schema.ts';
import { type OrganizationDocument, organizationSchema } from '../../settings/organization-schema.ts';
import { type Diagnostic, diagnosticAt, type Path, type SourceDocument } from '../diagnostic.ts';
import { explainIssues } from './explain-issues.ts';
import type { ReadNeuron, ReadOrganization } from './validated.ts';
import { withoutBroken } from './without-broken.ts';

/** A refused document, read without its members at fault: to be judged, never to be applied. */
export interface Remaining<Document> {
  readonly document: Document;
  /** The names of the members that are left out. */
  readonly removed: ReadonlySet<string>;
  /** The document with them, and the places that its schema refuses. */
  readonly whole: SourceDocument;
  readonly faults: readonly Path[];
}

/** Documents of one kind. */
export interface ReadKind<Document> {
  readonly whole: readonly Document[];
  readonly remaining: readonly Remaining<Document>[];
  readonly refusals: readonly Diagnostic[];
}

/** What was read. `broken` names organizations whose documents were refused, so that nobody takes them for missing. */
export interface ReadDocuments {
  readonly organizations: readonly ReadOrganization[];
  readonly neurons: readonly ReadNeuron[];
  readonly remaining: {
    readonly organizations: readonly Remaining<ReadOrganization>[];
    readonly neurons: readonly Remaining<ReadNeuron>[];
  };
  readonly broken: ReadonlySet<string>;
  readonly refusals: readonly Diagnostic[];
}

/** What a document is about. */
export type DocumentKind = 'organization' | 'neuron';

/** By the member it has; undefined when it has neither or both, or is no map at all. */
export function kindOf({ value }: SourceDocument): DocumentKind | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isOrganization = Object.hasOwn(value, 'organization');
  if (isOrganization === Object.hasOwn(value, 'neuron')) return undefined;
  return isOrganization ? 'organization' : 'neuron';
}

/** Reads every document that is there; one that is refused is left out. */
export function readDocuments(documents: readonly SourceDocument[]): ReadDocuments {
  const ofKind = (kind: DocumentKind | undefined) =>
    documents.filter((document) => kindOf(document) === kind);
  const organizations = readKind(ofKind('organization'), organizationSchema, toOrganization);
  const neurons = readKind(ofKind('neuron'), neuronSchema, toNeuron);
  const whole = new Set(organizations.whole.map(({ source }) => source));
  return {
    organizations: organizations.whole,
    neurons: neurons.whole,
    remaining: { organizations: organizations.remaining, neurons: neurons.remaining },
    broken: new Set(
      ofKind('organization')
        .filter((document) => !whole.has(document))
        .map(({ value }) => String((value as Record<string, unknown>)['organization'])),
    ),
    refusals: [
      ...ofKind(undefined).map((document) => diagnosticAt(document, [], `must have either ${FIRST_MEMBERS}`)),
      ...organizations.refusals,
      ...neurons.refusals,
    ],
  };
}

const FIRST_MEMBERS =
  '`organization: SLUG` or `neuron: ORGANIZATION/NEURON`, which says what the document is about';

function readKind<Schema extends z.ZodMiniType, Document>(
  documents: readonly SourceDocument[],
  schema: Schema,
  toDocument: (source: SourceDocument, parsed: z.output<Schema>) => Document,
): ReadKind<Document> {
  const whole: Document[] = [];
  const remaining: Remaining<Document>[] = [];
  const refusals: Diagnostic[] = [];
  for (const source of documents) {
    const parsed = schema.safeParse(source.value);
    if (parsed.success) {
      whole.push(toDocument(source, parsed.data));
      continue;
    }
    const before = refusals.length;
    refusals.push(...explainIssues(source, parsed.error.issues));
    const rest = withoutBroken(source.value, parsed.error.issues);
    const again = schema.safeParse(rest?.value);
    if (rest === undefined || !again.success) continue;
    const document = toDocument({ ...source, value: rest.value }, again.data);
    const faults = refusals.slice(before).map(({ path }) => path);
    remaining.push({ document, removed: rest.removed, whole: source, faults });
  }
  return { whole, remaining, refusals };
}

function toOrganization(source: SourceDocument, parsed: ReadOrganization['parsed']): ReadOrganization {
  return { source, parsed, slug: parsed.organization, document: source.value as OrganizationDocument };
}

function toNeuron(source: SourceDocument, parsed: ReadNeuron['parsed']): ReadNeuron {
  const { flow, ...settings } = source.value as NeuronDocument;
  const [organization = '', slug = ''] = parsed.neuron.split('/');
  return { source, parsed, organization, slug, settings, flow };
}
