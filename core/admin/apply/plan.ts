// Compares what is given with what is stored and plans the changes between the two. Pure: reads and writes nothing.
import type { NeuronRecord, VersionHold } from '../../ports/administration.ts';
import { sameDocument } from '../../text/canonical-json.ts';
import {
  type Change,
  contentOf,
  type Drift,
  type NeuronInput,
  type NeuronNotInFiles,
  type Plan,
  type PlannedVersion,
  type SettingsInput,
  type StoredNeuronState,
  type StoredOrganizationState,
} from './changes.ts';
import { versionId } from './deployments.ts';

/** `changed`: deploy new versions. `never`: deploy nothing. `newest`: also deploy the newest version when the flow did not change. */
export type DeployMode = 'changed' | 'never' | 'newest';

export interface PlanOptions {
  readonly deploy: DeployMode;
  /** Delete the stored neurons of given organizations that are not given. */
  readonly prune: boolean;
}

/** Plans organizations before their neurons, and deletions last. */
export function planChanges(
  input: SettingsInput,
  stored: readonly StoredOrganizationState[],
  options: PlanOptions,
): Plan {
  const neurons = input.neurons.map((neuron) =>
    planNeuron(neuron, findNeuron(stored, neuron), options.deploy),
  );
  const notInFiles = findNotInFiles(input, stored);
  return {
    changes: [
      ...planOrganizations(input, stored),
      ...neurons.flatMap(({ changes }) => changes),
      ...(options.prune ? notInFiles : []),
    ],
    drifts: neurons.flatMap(({ drifts }) => drifts),
    notInFiles,
  };
}

function planOrganizations(input: SettingsInput, stored: readonly StoredOrganizationState[]): Change[] {
  return input.organizations.flatMap(({ slug, document }): Change[] => {
    const record = stored.find((state) => state.record.slug === slug)?.record;
    if (record === undefined) return [{ kind: 'create_organization', organization: slug, after: document }];
    if (sameDocument(record.document, document)) return [];
    return [{ kind: 'update_organization', organization: slug, record, after: document }];
  });
}

function findNeuron(
  stored: readonly StoredOrganizationState[],
  { organization, slug }: NeuronInput,
): StoredNeuronState | undefined {
  const neurons = stored.find((state) => state.record.slug === organization)?.neurons;
  return neurons?.find(({ record }) => record.slug === slug);
}

function planNeuron(
  input: NeuronInput,
  stored: StoredNeuronState | undefined,
  mode: DeployMode,
): Pick<Plan, 'changes' | 'drifts'> {
  const names = { organization: input.organization, neuron: input.slug };
  const hold = stored && holdOf(stored.record);
  const version = planVersion(input, stored, hold === undefined ? mode : 'never');
  if (stored === undefined) {
    return { changes: [{ kind: 'create_neuron', ...names, after: input.settings, version }], drifts: [] };
  }
  const { record, newest } = stored;
  const deployedVersion = record.deployment?.version;
  // A file without a flow does not decide on versions.
  const isBehind =
    input.flow !== undefined &&
    version === undefined &&
    newest !== undefined &&
    deployedVersion !== newest.id;
  const deploy = isBehind && mode === 'newest' && hold === undefined ? newest.id : undefined;
  const isHeldBack = hold !== undefined && version !== undefined;
  const unchanged =
    sameDocument(record.document, input.settings) && version === undefined && deploy === undefined;
  const drifts: readonly Drift[] =
    (isBehind && deploy === undefined) || isHeldBack
      ? [
          {
            ...names,
            deployed: deployedVersion,
            newest: versionId(version?.number ?? newest?.number ?? 0),
            hold,
          },
        ]
      : [];
  return {
    changes: unchanged
      ? []
      : [{ kind: 'update_neuron', ...names, record, after: input.settings, version, deploy }],
    drifts,
  };
}

/** A rollout keeps both of its versions, as a hold keeps one. */
function holdOf({ hold, rollout }: NeuronRecord): VersionHold | undefined {
  if (hold !== undefined || rollout === undefined) return hold;
  return { reason: `${rollout.candidate} is rolled out`, since: rollout.since, by: rollout.startedBy };
}

/** The version to create for the given flow; undefined without a flow, or when the newest version has it already. */
function planVersion(
  input: Pick<NeuronInput, 'flow' | 'variables'>,
  stored: StoredNeuronState | undefined,
  mode: DeployMode,
): PlannedVersion | undefined {
  if (input.flow === undefined) return undefined;
  const newest = stored?.newest;
  const deploy = mode !== 'never';
  const content = contentOf(input);
  const before = newest && contentOf(newest);
  if (newest === undefined || !sameDocument(before, content)) {
    return { number: (newest?.number ?? 0) + 1, content, before, exists: false, deploy };
  }
  // An interrupted apply created this version and did not update its neuron: finish it.
  if (newest.number > (stored?.record.latestVersion ?? 0)) {
    return { number: newest.number, content, before, exists: true, deploy };
  }
  return undefined;
}

/** Only in organizations whose own document is given: a file with one neuron says nothing about the others, nor does a repository about other organizations. */
function findNotInFiles(
  input: SettingsInput,
  stored: readonly StoredOrganizationState[],
): NeuronNotInFiles[] {
  return stored
    .filter(({ record }) => input.organizations.some(({ slug }) => slug === record.slug))
    .flatMap(({ record: { slug: organization }, neurons }) =>
      neurons
        .filter(
          ({ record }) =>
            !input.neurons.some(
              (neuron) => neuron.organization === organization && neuron.slug === record.slug,
            ),
        )
        .map(({ record }) => ({ kind: 'delete_neuron', organization, neuron: record.slug, record })),
    );
}
