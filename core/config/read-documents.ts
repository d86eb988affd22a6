// Reads the documents of settings files by their schemas, all errors at once.
import { explainIssues } from './explain-issues.ts';
import { type Finding, findingAt, type SourceDocument } from './finding.ts';
import type { ReadNeuron, ReadOrganization } from './judged.ts';
import { type NeuronDocument, neuronSchema } from './neuron-schema.ts';
import { type OrganizationDocument, organizationSchema } from './organization-schema.ts';

/** What was read. `broken` names organizations whose documents were refused, so that nobody takes them for missing. */
export interface ReadDocuments {
  readonly organizations: readonly ReadOrganization[];
  readonly neurons: readonly ReadNeuron[];
  readonly broken: ReadonlySet<string>;
  readonly refusals: readonly Finding[];
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
  const organizations: ReadOrganization[] = [];
  const neurons: ReadNeuron[] = [];
  const broken = new Set<string>();
  const refusals: Finding[] = [];
  for (const source of documents) {
    const kind = kindOf(source);
    if (kind === undefined) {
      refusals.push(findingAt(source, [], `must have either ${FIRST_MEMBERS}`));
      continue;
    }
    const parsed = (kind === 'organization' ? organizationSchema : neuronSchema).safeParse(source.value);
    if (!parsed.success) {
      refusals.push(...explainIssues(source, parsed.error.issues));
      broken.add(String((source.value as Record<string, unknown>)['organization']));
    } else if (kind === 'organization') {
      organizations.push(toOrganization(source, parsed.data as ReadOrganization['parsed']));
    } else {
      neurons.push(toNeuron(source, parsed.data as ReadNeuron['parsed']));
    }
  }
  return { organizations, neurons, broken, refusals };
}

const FIRST_MEMBERS =
  '`organization: SLUG` or `neuron: ORGANIZATION/NEURON`, which says what the document is about';

function toOrganization(source: SourceDocument, parsed: ReadOrganization['parsed']): ReadOrganization {
  return { source, parsed, slug: parsed.organization, document: source.value as OrganizationDocument };
}

function toNeuron(source: SourceDocument, parsed: ReadNeuron['parsed']): ReadNeuron {
  const { flow, ...settings } = source.value as NeuronDocument;
  const [organization = '', slug = ''] = parsed.neuron.split('/');
  return { source, parsed, organization, slug, settings, flow };
}
