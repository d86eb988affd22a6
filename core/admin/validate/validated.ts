// Documents after judging: as written, as parsed, and with the place they came from.

import type { Neuron } from '../../settings/neuron-schema.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import type { GivenNeuron, GivenOrganization } from '../apply/changes.ts';
import type { Diagnostic, SourceDocument } from '../diagnostic.ts';

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
export interface Diagnostics {
  readonly refusals: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}
