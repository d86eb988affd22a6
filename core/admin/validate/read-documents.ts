// Reads the documents of settings files by their schemas, with all errors of the schemas at once.
import type * as z from 'zod/mini';
import { type Neuron, type NeuronDocument, neuronSchema } from '../../settings/neuron-schema.ts';
import {
  type Organization,
  type OrganizationDocument,
  organizationSchema,
} from '../../settings/organization-schema.ts';
import type { Path } from '../../settings/path.ts';
import { type TestsDocument, testsSchema } from '../../settings/tests/tests-schema.ts';
import type { NeuronInput, OrganizationInput } from '../apply/changes.ts';
import { type Diagnostic, errorAt, locateAll, type SourceDocument } from '../diagnostic.ts';
import { explainIssues } from './explain-issues.ts';
import { assumeKinds } from './likely-kinds.ts';
import { keepValidMembers } from './valid-members.ts';

/** An organization document that its schema accepts: as written, as parsed, and where it came from. */
export interface ReadOrganization extends OrganizationInput {
  readonly source: SourceDocument;
  readonly parsed: Organization;
}

/** A neuron document that its schema accepts: as written, as parsed, and where it came from. */
export interface ReadNeuron extends NeuronInput {
  readonly source: SourceDocument;
  readonly parsed: Neuron;
}

/** A document that its schema rejects, read without its invalid members: to be validated, never to be applied. */
export interface PartialDocument<Document> {
  readonly document: Document;
  /** The names of the members that are left out. */
  readonly removed: ReadonlySet<string>;
  /** The document with them, and the paths of the schema's errors. */
  readonly whole: SourceDocument;
  readonly invalid: readonly Path[];
}

export interface ReadKind<Document> {
  readonly whole: readonly Document[];
  readonly partial: readonly PartialDocument<Document>[];
  readonly errors: readonly Diagnostic[];
}

/** `invalidOrganizations` names those whose documents were rejected, so that they do not count as missing. */
export interface ReadDocuments {
  readonly organizations: readonly ReadOrganization[];
  readonly neurons: readonly ReadNeuron[];
  readonly partial: {
    readonly organizations: readonly PartialDocument<ReadOrganization>[];
    readonly neurons: readonly PartialDocument<ReadNeuron>[];
  };
  readonly invalidOrganizations: ReadonlySet<string>;
  readonly errors: readonly Diagnostic[];
}

type DocumentKind = 'organization' | 'neuron' | 'tests';

const KINDS: readonly DocumentKind[] = ['organization', 'neuron', 'tests'];

/** By the member it has; undefined when it has none or several of them, or is no map at all. */
export function kindOf({ value }: SourceDocument): DocumentKind | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const kinds = KINDS.filter((kind) => Object.hasOwn(value, kind));
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** Reads every document but tests, which nothing is applied of; those that their schema rejects are in `partial`, or nowhere when nothing of them is valid. */
export function readDocuments(documents: readonly SourceDocument[]): ReadDocuments {
  const ofKind = (kind: DocumentKind | undefined) =>
    documents.filter((document) => kindOf(document) === kind);
  const organizations = readKind(ofKind('organization'), organizationSchema, toOrganization);
  const neurons = readKind(ofKind('neuron'), neuronSchema, toNeuron);
  const whole = new Set(organizations.whole.map(({ source }) => source));
  return {
    organizations: organizations.whole,
    neurons: neurons.whole,
    partial: { organizations: organizations.partial, neurons: neurons.partial },
    invalidOrganizations: new Set(
      ofKind('organization')
        .filter((document) => !whole.has(document))
        .map(({ value }) => String((value as Record<string, unknown>)['organization'])),
    ),
    errors: [
      ...ofKind(undefined).flatMap((document) =>
        locateAll(document, [errorAt([], `must have one of ${FIRST_MEMBERS}`)]),
      ),
      ...organizations.errors,
      ...neurons.errors,
    ],
  };
}

const FIRST_MEMBERS =
  '`organization: SLUG`, `neuron: ORGANIZATION/NEURON` and `tests: ORGANIZATION/NEURON`, which says what the document is about';

/** A tests document that its schema accepts. */
export interface ReadTests {
  readonly source: SourceDocument;
  readonly parsed: TestsDocument;
}

/** Reads the tests among the documents; one that its schema rejects is read without its invalid members, where that is possible. */
export function readTests(documents: readonly SourceDocument[]): ReadKind<ReadTests> {
  const ofTests = documents.filter((document) => kindOf(document) === 'tests');
  return readKind(ofTests, testsSchema, (source, parsed) => ({ source, parsed }));
}

function readKind<Schema extends z.ZodMiniType, Document>(
  documents: readonly SourceDocument[],
  schema: Schema,
  toDocument: (source: SourceDocument, parsed: z.output<Schema>) => Document,
): ReadKind<Document> {
  const whole: Document[] = [];
  const partial: PartialDocument<Document>[] = [];
  const errors: Diagnostic[] = [];
  for (const source of documents) {
    const parsed = schema.safeParse(source.value);
    if (parsed.success) {
      whole.push(toDocument(source, parsed.data));
      continue;
    }
    const { issues } = parsed.error;
    const likely = assumeKinds(source.value, issues, schema);
    const found = explainIssues(source, [...issues, ...(likely?.inside ?? [])]);
    errors.push(...found);
    const rest = keepValidMembers(
      likely?.value ?? source.value,
      likely === undefined ? issues : likely.issues,
    );
    const again = schema.safeParse(rest?.value);
    if (rest === undefined || !again.success) continue;
    const document = toDocument({ ...source, value: rest.value }, again.data);
    const invalid = found.map(({ path }) => path);
    partial.push({ document, removed: rest.removed, whole: source, invalid });
  }
  return { whole, partial, errors };
}

function toOrganization(source: SourceDocument, parsed: ReadOrganization['parsed']): ReadOrganization {
  return { source, parsed, slug: parsed.organization, document: source.value as OrganizationDocument };
}

function toNeuron(source: SourceDocument, parsed: ReadNeuron['parsed']): ReadNeuron {
  const { flow, variables, ...settings } = source.value as NeuronDocument;
  const [organization = '', slug = ''] = parsed.neuron.split('/');
  return { source, parsed, organization, slug, settings, flow, variables };
}
