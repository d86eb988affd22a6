// The types of `apply`: documents as given, state as stored, and the changes between the two.
import type {
  NeuronRecord,
  OrganizationRecord,
  VersionHold,
  VersionRecord,
} from '../../ports/administration.ts';
import type { NeuronSettingsDocument } from '../../settings/neuron-schema.ts';
import type { OrganizationDocument } from '../../settings/organization-schema.ts';

export interface OrganizationInput {
  readonly slug: string;
  readonly document: OrganizationDocument;
}

/** A validated neuron document, its flow and variables apart and with files read in; each is undefined where the document has none. */
export interface NeuronInput {
  readonly organization: string;
  readonly slug: string;
  readonly settings: NeuronSettingsDocument;
  readonly flow: unknown;
  readonly variables?: unknown;
}

export interface SettingsInput {
  readonly organizations: readonly OrganizationInput[];
  readonly neurons: readonly NeuronInput[];
}

export interface StoredNeuronState {
  readonly record: NeuronRecord;
  readonly newest: VersionRecord | undefined;
}

export interface StoredOrganizationState {
  readonly record: OrganizationRecord;
  readonly neurons: readonly StoredNeuronState[];
}

/** Members of a document that a version fixes. */
export type VersionContent = Pick<VersionRecord, 'flow' | 'variables'>;

/** Without variables where there are none, so that contents can be compared. */
export function contentOf({ flow, variables }: VersionContent): VersionContent {
  return { flow, ...(variables === undefined ? {} : { variables }) };
}

/** A version to create, or one that an interrupted apply created without updating its neuron. */
export interface PlannedVersion {
  readonly number: number;
  readonly content: VersionContent;
  /** That of the newest version before it. */
  readonly before: VersionContent | undefined;
  readonly exists: boolean;
  readonly deploy: boolean;
}

/** One change, with everything needed to show and to make it. */
export type Change =
  | {
      readonly kind: 'create_organization';
      readonly organization: string;
      readonly after: OrganizationDocument;
    }
  | {
      readonly kind: 'update_organization';
      readonly organization: string;
      readonly record: OrganizationRecord;
      readonly after: OrganizationDocument;
    }
  | {
      readonly kind: 'create_neuron';
      readonly organization: string;
      readonly neuron: string;
      readonly after: NeuronSettingsDocument;
      readonly version: PlannedVersion | undefined;
    }
  | {
      readonly kind: 'update_neuron';
      readonly organization: string;
      readonly neuron: string;
      readonly record: NeuronRecord;
      readonly after: NeuronSettingsDocument;
      readonly version: PlannedVersion | undefined;
      /** Id of an existing version to deploy. */
      readonly deploy: string | undefined;
    }
  | {
      readonly kind: 'delete_neuron';
      readonly organization: string;
      readonly neuron: string;
      readonly record: NeuronRecord;
    }
  | {
      readonly kind: 'delete_organization';
      readonly organization: string;
      readonly record: OrganizationRecord;
      readonly neurons: readonly NeuronRecord[];
    };

/** A neuron whose deployed version is not the newest, which holds the flow of its file. */
export interface Drift {
  readonly organization: string;
  readonly neuron: string;
  /** Undefined where no version is deployed. */
  readonly deployed: string | undefined;
  readonly newest: string;
  /** Why it stays deployed. Undefined where the next `apply --deploy` deploys the newest. */
  readonly hold: VersionHold | undefined;
}

/** A stored neuron of a given organization that is not given. */
export type NeuronNotInFiles = Extract<Change, { kind: 'delete_neuron' }>;

/** The changes in order, and what the operator should know besides. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly drifts: readonly Drift[];
  /** Deletions by pruning; part of `changes` only when the plan prunes. */
  readonly notInFiles: readonly NeuronNotInFiles[];
}
