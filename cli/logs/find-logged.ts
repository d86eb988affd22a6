// Finds the ids behind a slug for log and usage. Both outlive organizations and neurons, and deleted ones are found in the change log.
import {
  CHANGE_RETENTION_MS,
  type ChangeAction,
  type RecordedChange,
} from '../../core/contract/change-entry.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import { renderTarget, type Target } from '../session/target.ts';

/** The ids under which entries and usage are stored. */
interface LoggedOwner {
  readonly organizationId: string;
  readonly neuronId: string | undefined;
}

type FindPorts = Pick<Ports, 'store' | 'changes' | 'clock'>;

/** Operators' clocks differ. */
const SKEW_MS = 60_000;

/**
 * The present owner of the slug, or else the one deleted last, whose ids are in the change log. Reports a deletion on standard
 * error. Throws `CommandFailure` where there never was such a thing, or its deletion is more than a year ago.
 */
export async function findLogged(target: Target, ports: FindPorts, out: Output): Promise<LoggedOwner> {
  const { store } = ports;
  const stored = await findStored(target, store);
  if (stored !== undefined) return stored;
  const deleted = await findDeleted(target, ports);
  if (deleted === undefined) {
    const record = await requireOrganization(store, target.organization);
    const neuron =
      target.neuron === undefined ? undefined : await requireNeuron(store, record, target.neuron);
    return { organizationId: record.id, neuronId: neuron?.id };
  }
  out.message(`${renderTarget(target)} was deleted at ${new Date(deleted.timeMs).toISOString()}.`);
  return deleted;
}

async function findStored(
  { organization, neuron }: Target,
  store: Ports['store'],
): Promise<LoggedOwner | undefined> {
  const record = await store.readOrganization(organization);
  if (record === undefined) return undefined;
  if (neuron === undefined) return { organizationId: record.id, neuronId: undefined };
  const found = await store.readNeuron(record, neuron);
  return found === undefined ? undefined : { organizationId: record.id, neuronId: found.id };
}

/** A neuron is looked up in the organization that has the slug now, or had it last. */
async function findDeleted(
  { organization, neuron }: Target,
  { store, changes, clock }: FindPorts,
): Promise<(LoggedOwner & { readonly timeMs: number }) | undefined> {
  let organizationId = (await store.readOrganization(organization))?.id;
  const nowMs = clock.now();
  for await (const change of changes.list(organization, nowMs - CHANGE_RETENTION_MS, nowMs + SKEW_MS)) {
    if (organizationId === undefined && isDeletion(change, 'delete_organization'))
      organizationId = change.organizationId;
    if (organizationId === undefined || change.organizationId !== organizationId) continue;
    if (neuron === undefined) return { organizationId, neuronId: undefined, timeMs: change.timeMs };
    if (change.neuron === neuron && isDeletion(change, 'delete_neuron'))
      return { organizationId, neuronId: change.neuronId, timeMs: change.timeMs };
  }
  return undefined;
}

/** Includes deletions of unknown outcome: this is asked only when the settings are gone. */
function isDeletion({ actions, outcome }: RecordedChange, action: ChangeAction): boolean {
  return actions.includes(action) && (outcome === 'made' || outcome === 'unknown');
}
