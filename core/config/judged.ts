// Documents after judging: as written, as parsed, and with the place they came from.
import type { GivenNeuron, GivenOrganization } from './changes.ts';
import type { Finding, SourceDocument } from './finding.ts';
import type { Neuron } from './neuron-schema.ts';
import type { Organization } from './organization-schema.ts';

/** An organization document that its schema takes. */
export interface ReadOrganization extends GivenOrganization {
  readonly source: SourceDocument;
  readonly parsed: Organization;
}

/** A neuron document that its schema takes. */
export interface ReadNeuron extends GivenNeuron {
  readonly source: SourceDocument;
  readonly parsed: Neuron;
}

/** What judging finds: refusals stop every write, warnings none. */
export interface Findings {
  readonly refusals: readonly Finding[];
  readonly warnings: readonly Finding[];
}
