// Compares what is given with what is stored and plans the changes between the two. Pure: reads and writes nothing.
import { sameDocument } from '../../settings/canonical-json.ts';
import type {
  Change,
  Given,
  GivenNeuron,
  Plan,
  PlannedVersion,
  StoredNeuronState,
  StoredOrganizationState,
} from './changes.ts';

/** `changed`: a new version is deployed. `never`: none is. `newest`: also one that is not new. */
export type DeployMode = 'changed' | 'never' | 'newest';

/** How to plan. */
export interface PlanOptions {
  readonly deploy: DeployMode;
  /** Delete what is stored and not given. */
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
  return {
    changes: [
      ...planOrganizations(given, stored),
      ...neurons.flatMap(({ changes }) => changes),
      ...(options.prune ? planDeletions(given, stored) : []),
    ],
    notices: neurons.flatMap(({ notices }) => notices),
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

function planNeuron(given: GivenNeuron, stored: StoredNeuronState | undefined, mode: DeployMode): Plan {
  const names = { organization: given.organization, neuron: given.slug };
  const version = planVersion(given.flow, stored, mode);
  if (stored === undefined) {
    return { changes: [{ kind: 'create_neuron', ...names, after: given.settings, version }], notices: [] };
  }
  const { record, newest } = stored;
  const behind = version === undefined && newest !== undefined && record.deployment?.version !== newest.id;
  const deploy = behind && mode === 'newest' ? newest.id : undefined;
  const unchanged =
    sameDocument(record.document, given.settings) && version === undefined && deploy === undefined;
  return {
    changes: unchanged
      ? []
      : [{ kind: 'update_neuron', ...names, record, after: given.settings, version, deploy }],
    notices: behind && deploy === undefined ? [noticeOf(names, record.deployment?.version, newest.id)] : [],
  };
}

function noticeOf(
  names: { organization: string; neuron: string },
  deployed: string | undefined,
  newest: string,
): string {
  const state = deployed === undefined ? 'no version is deployed' : `${deployed} is deployed`;
  return `${names.organization}/${names.neuron}: ${state}, the newest is ${newest}; --deploy deploys it.`;
}

/** The version that the given flow needs; undefined where there is no flow, or where the newest version already holds it. */
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
  // An apply was interrupted after it had made this version and before its neuron knew: finish what it began.
  if (newest.number > (stored?.record.latestVersion ?? 0)) {
    return { number: newest.number, flow, before, exists: true, deploy };
  }
  return undefined;
}

function planDeletions(given: Given, stored: readonly StoredOrganizationState[]): Change[] {
  return stored.flatMap(({ record, neurons }): Change[] => {
    const organization = record.slug;
    if (
      !given.organizations.some(({ slug }) => slug === organization) &&
      !given.neurons.some((neuron) => neuron.organization === organization)
    ) {
      const records = neurons.map((neuron) => neuron.record);
      return [{ kind: 'delete_organization', organization, record, neurons: records }];
    }
    const kept = given.neurons
      .filter((neuron) => neuron.organization === organization)
      .map(({ slug }) => slug);
    return neurons
      .filter((neuron) => !kept.includes(neuron.record.slug))
      .map((neuron) => ({
        kind: 'delete_neuron',
        organization,
        neuron: neuron.record.slug,
        record: neuron.record,
      }));
  });
}
