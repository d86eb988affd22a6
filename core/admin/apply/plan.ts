// Compares what is given with what is stored and plans the changes between the two. Pure: reads and writes nothing.
import { sameDocument } from '../../text/canonical-json.ts';
import type {
  Change,
  Drift,
  Given,
  GivenNeuron,
  Plan,
  PlannedVersion,
  StoredNeuronState,
  StoredOrganizationState,
  UngivenNeuron,
} from './changes.ts';

/** `changed`: deploy new versions. `never`: deploy nothing. `newest`: also deploy the newest version when the flow did not change. */
export type DeployMode = 'changed' | 'never' | 'newest';

/** How to plan. */
export interface PlanOptions {
  readonly deploy: DeployMode;
  /** Delete the stored neurons of given organizations that are not given. */
  readonly prune: boolean;
}

/** Plans organizations before their neurons, and deletions last. */
export function planChanges(
  given: Given,
  stored: readonly StoredOrganizationState[],
  options: PlanOptions,
): Plan {
  const neurons = given.neurons.map((neuron) =>
    planNeuron(neuron, findNeuron(stored, neuron), options.deploy),
  );
  const ungiven = findUngiven(given, stored);
  return {
    changes: [
      ...planOrganizations(given, stored),
      ...neurons.flatMap(({ changes }) => changes),
      ...(options.prune ? ungiven : []),
    ],
    drifts: neurons.flatMap(({ drifts }) => drifts),
    ungiven,
  };
}

function planOrganizations(given: Given, stored: readonly StoredOrganizationState[]): Change[] {
  return given.organizations.flatMap(({ slug, document }): Change[] => {
    const record = stored.find((state) => state.record.slug === slug)?.record;
    if (record === undefined) return [{ kind: 'create_organization', organization: slug, after: document }];
    if (sameDocument(record.document, document)) return [];
    return [{ kind: 'update_organization', organization: slug, record, after: document }];
  });
}

function findNeuron(
  stored: readonly StoredOrganizationState[],
  { organization, slug }: GivenNeuron,
): StoredNeuronState | undefined {
  const neurons = stored.find((state) => state.record.slug === organization)?.neurons;
  return neurons?.find(({ record }) => record.slug === slug);
}

function planNeuron(
  given: GivenNeuron,
  stored: StoredNeuronState | undefined,
  mode: DeployMode,
): Pick<Plan, 'changes' | 'drifts'> {
  const names = { organization: given.organization, neuron: given.slug };
  const version = planVersion(given.flow, stored, mode);
  if (stored === undefined) {
    return { changes: [{ kind: 'create_neuron', ...names, after: given.settings, version }], drifts: [] };
  }
  const { record, newest } = stored;
  const deployedVersion = record.deployment?.version;
  // A file without a flow does not decide on versions.
  const isBehind =
    given.flow !== undefined &&
    version === undefined &&
    newest !== undefined &&
    deployedVersion !== newest.id;
  const deploy = isBehind && mode === 'newest' ? newest.id : undefined;
  const unchanged =
    sameDocument(record.document, given.settings) && version === undefined && deploy === undefined;
  const drifts: readonly Drift[] =
    isBehind && deploy === undefined ? [{ ...names, deployed: deployedVersion, newest: newest.id }] : [];
  return {
    changes: unchanged
      ? []
      : [{ kind: 'update_neuron', ...names, record, after: given.settings, version, deploy }],
    drifts,
  };
}

/** The version to create for the given flow; undefined without a flow, or when the newest version has it already. */
function planVersion(
  flow: unknown,
  stored: StoredNeuronState | undefined,
  mode: DeployMode,
): PlannedVersion | undefined {
  if (flow === undefined) return undefined;
  const newest = stored?.newest;
  const deploy = mode !== 'never';
  const before = newest?.flow;
  if (newest === undefined || !sameDocument(newest.flow, flow)) {
    return { number: (newest?.number ?? 0) + 1, flow, before, exists: false, deploy };
  }
  // An interrupted apply created this version and did not update its neuron: finish it.
  if (newest.number > (stored?.record.latestVersion ?? 0)) {
    return { number: newest.number, flow, before, exists: true, deploy };
  }
  return undefined;
}

/** Only in organizations whose own document is given: a file with one neuron says nothing about the others, nor does a repository about other organizations. */
function findUngiven(given: Given, stored: readonly StoredOrganizationState[]): UngivenNeuron[] {
  return stored
    .filter(({ record }) => given.organizations.some(({ slug }) => slug === record.slug))
    .flatMap(({ record: { slug: organization }, neurons }) =>
      neurons
        .filter(
          ({ record }) =>
            !given.neurons.some(
              (neuron) => neuron.organization === organization && neuron.slug === record.slug,
            ),
        )
        .map(({ record }) => ({ kind: 'delete_neuron', organization, neuron: record.slug, record })),
    );
}
