// Finds the ids behind a slug for log and usage. Both outlive organizations and neurons; deleted ones are found in the change log.

import {
  CHANGE_RETENTION_MS,
  type ChangeAction,
  type RecordedChange,
} from '../../core/contract/change-entry.ts';
import { toIso } from '../../core/time/iso.ts';
import { isDenied } from '../output/aws-failures.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import { renderTarget, type Target } from '../session/target.ts';
import { logsWords } from './logs-words.ts';

/** The ids under which entries and usage are stored. */
export interface LogOwner {
  readonly organizationId: string;
  readonly neuronId: string | undefined;
}

interface DeletedOwner extends LogOwner {
  readonly timeMs: number;
}

interface OwnerRange {
  /** Id of a deleted owner. Without it the present owner is meant, else the one deleted last. */
  readonly deleted?: string | undefined;
  /** Start of the range; absent for everything that is stored. */
  readonly fromMs?: number;
}

type FindPorts = Pick<Ports, 'store' | 'changes' | 'clock'>;

/** Operators' clocks differ. */
const SKEW_MS = 60_000;

/**
 * The present owner of the slug, else the one deleted last. With `deleted`, the deleted one with this id. Reports a deletion, and earlier
 * owners of a slug that is used again. Throws `CommandFailure` where there never was an owner, or its deletion is more than a year ago.
 */
export async function findLogOwner(
  target: Target,
  { deleted: id, fromMs }: OwnerRange,
  ports: FindPorts,
  out: Output,
): Promise<LogOwner> {
  if (id !== undefined) return requireDeleted(target, id, ports);
  const stored = await findStored(target, ports.store);
  if (stored !== undefined) {
    await reportEarlierOwners(target, stored, fromMs, ports, out).catch((error: unknown) => {
      // Rights to the log of calls alone, such as a viewer's.
      if (!isDenied(error)) throw error;
      out.message(`Earlier owners of ${renderTarget(target)} are not shown: changes could not be read.`);
    });
    return { organizationId: stored.organizationId, neuronId: stored.neuronId };
  }
  const deleted = await findLastDeleted(target, ports);
  if (deleted === undefined) {
    const record = await requireOrganization(ports.store, target.organization);
    const neuron =
      target.neuron === undefined ? undefined : await requireNeuron(ports.store, record, target.neuron);
    return { organizationId: record.id, neuronId: neuron?.id };
  }
  out.message(`${renderTarget(target)} was deleted at ${toIso(deleted.timeMs)}.`);
  return deleted;
}

async function findStored(
  { organization, neuron }: Target,
  store: Ports['store'],
): Promise<(LogOwner & { readonly createdMs: number }) | undefined> {
  const record = await store.readOrganization(organization);
  if (record === undefined) return undefined;
  const found = neuron === undefined ? undefined : await store.readNeuron(record, neuron);
  if (neuron !== undefined && found === undefined) return undefined;
  const createdMs = Date.parse((found ?? record).createdAt);
  return { organizationId: record.id, neuronId: found?.id, createdMs };
}

/** The range can hold calls of an earlier owner only if that owner was deleted after its start. */
async function reportEarlierOwners(
  target: Target,
  present: LogOwner & { readonly createdMs: number },
  fromMs: number | undefined,
  ports: FindPorts,
  out: Output,
): Promise<void> {
  const beginMs = fromMs ?? ports.clock.now() - CHANGE_RETENTION_MS;
  if (beginMs >= present.createdMs) return;
  for await (const one of listDeleted(target, beginMs, present.createdMs + SKEW_MS, ports)) {
    if (ownerId(target, one) === ownerId(target, present)) continue;
    const when = toIso(one.timeMs);
    out.message(
      `${renderTarget(target)} was deleted at ${when} and created again. For the calls before that, pass --deleted ${ownerId(target, one)}.`,
    );
  }
}

function ownerId({ neuron }: Target, { organizationId, neuronId }: LogOwner): string | undefined {
  return neuron === undefined ? organizationId : neuronId;
}

async function requireDeleted(target: Target, id: string, ports: FindPorts): Promise<LogOwner> {
  const nowMs = ports.clock.now();
  for await (const one of listDeleted(target, nowMs - CHANGE_RETENTION_MS, nowMs + SKEW_MS, ports)) {
    if (ownerId(target, one) === id) return one;
  }
  throw new CommandFailure({
    what: `No deleted ${renderTarget(target)} had the id ${id}.`,
    why: 'It may have been deleted more than a year ago.',
    remedy: `Run \`neuron ${logsWords(target.organization)} --changes --since 365d\` to see deletions.`,
  });
}

/** A neuron is looked up in the organization that has the slug now, else in the one that had it last. */
async function findLastDeleted(target: Target, ports: FindPorts): Promise<DeletedOwner | undefined> {
  const nowMs = ports.clock.now();
  const range = [nowMs - CHANGE_RETENTION_MS, nowMs + SKEW_MS] as const;
  const { organization, neuron } = target;
  const whole = { organization, neuron: undefined };
  let organizationId = (await ports.store.readOrganization(organization))?.id;
  if (organizationId === undefined) {
    for await (const one of listDeleted(whole, ...range, ports)) {
      if (neuron === undefined) return one;
      organizationId = one.organizationId;
      break;
    }
  }
  if (neuron === undefined || organizationId === undefined) return undefined;
  for await (const one of listDeleted(target, ...range, ports)) {
    if (one.organizationId === organizationId) return one;
  }
  return undefined;
}

/** Deleted owners of the slug, newest first. Includes deletions of unknown outcome. */
async function* listDeleted(
  { organization, neuron }: Target,
  fromMs: number,
  toMs: number,
  { changes }: FindPorts,
): AsyncGenerator<DeletedOwner> {
  const action: ChangeAction = neuron === undefined ? 'delete_organization' : 'delete_neuron';
  for await (const change of changes.list(organization, fromMs, toMs)) {
    const { organizationId, timeMs } = change;
    if (organizationId === undefined || !isDeletion(change, action)) continue;
    if (neuron === undefined) yield { organizationId, neuronId: undefined, timeMs };
    else if (change.neuron === neuron) yield { organizationId, neuronId: change.neuronId, timeMs };
  }
}

function isDeletion({ actions, outcome }: RecordedChange, action: ChangeAction): boolean {
  return actions.includes(action) && (outcome === 'made' || outcome === 'unknown');
}
