// An export is of one moment: an erasure that comes after it would leave entries of which its seals know no change, or keep the person in it.
import { listErased } from '../../../core/admin/erase/unfinished.ts';
import { AT_ONCE_MS } from '../../../core/admin/verify-log/erasures.ts';
import type { RecordedChange } from '../../../core/contract/change-entry.ts';
import { CHANGES_PARTITION, OUTCOME_SUFFIX } from '../../../core/contract/tables.ts';
import { toIso } from '../../../core/time/iso.ts';
import { CommandFailure } from '../../output/failure.ts';
import type { Ports } from '../../session/ports.ts';
import { exists } from './exists.ts';
import type { ExportPaths, ExportRequest } from './spool.ts';

/** Operators' clocks differ, and a change is sealed some seconds after it was put. */
const SEALED_MS = 60_000;

type ErasurePorts = Pick<Ports, 'changes' | 'storedEntries' | 'clock'>;

interface ExportMoment {
  readonly request: Pick<ExportRequest, 'organization' | 'organizationId'>;
  readonly startedMs: number;
}

/** For an export that is about to begin. Throws `CommandFailure` while persons are being erased, and for a minute after. */
export async function rejectDuringErasure(moment: ExportMoment, ports: ErasurePorts): Promise<void> {
  const found = await findErasure(moment, ports);
  if (found === undefined) return;
  throw new CommandFailure({
    what: `The export was not begun: a person of ${moment.request.organization} is being erased, or was within the last minute (${found.id}).`,
    why: 'An export of half an erasure could not be verified.',
    remedy: found.isEnded
      ? 'Run the command again in a minute.'
      : 'Run it again when `neuron users erase` has ended; one that was ended on the way goes on when it is run again.',
  });
}

/**
 * For an export that goes on, or has read every entry. Throws `CommandFailure` where somebody was erased since it began: what was read before
 * may hold the person.
 */
export async function rejectAfterErasure(
  paths: ExportPaths,
  moment: ExportMoment,
  ports: ErasurePorts,
): Promise<void> {
  const found = await findErasure(moment, ports);
  if (found === undefined) return;
  const { checkpoint, part, out } = paths;
  const left: string[] = [];
  for (const path of [part, `${out}.tmp`, out, checkpoint]) if (await exists(path)) left.push(path);
  throw new CommandFailure({
    what: `The export begun at ${toIso(moment.startedMs)} cannot be finished: a person was erased since (${found.id}).`,
    why: 'It may hold the person still, and its seals do not have the change that erased entries of it.',
    remedy: `Delete ${left.join(', ')}, and run the command again: it begins anew.`,
  });
}

/** An erasure that had not ended when the export began, or that its seals may lack; one that was ended on the way is over after an hour. */
async function findErasure(
  { request: { organization, organizationId }, startedMs }: ExportMoment,
  { changes, storedEntries, clock }: ErasurePorts,
): Promise<{ readonly id: string; readonly isEnded: boolean } | undefined> {
  const datedMs = startedMs - SEALED_MS;
  for await (const { change } of listErased({ organization, organizationId, nowMs: clock.now() }, changes)) {
    const { id, timeMs } = change;
    const endedMs = await findEnd(change, organization, storedEntries);
    const isNewer = timeMs > datedMs - (endedMs === undefined ? AT_ONCE_MS : 0) || (endedMs ?? 0) > datedMs;
    if (isNewer) return { id, isEnded: endedMs !== undefined };
  }
  return undefined;
}

/** Undefined for a change without an outcome. */
async function findEnd(
  { id, timeMs, outcome }: RecordedChange,
  organization: string,
  storedEntries: ErasurePorts['storedEntries'],
): Promise<number | undefined> {
  if (outcome === 'unknown') return undefined;
  const [pk, sk] = [`${CHANGES_PARTITION}#${organization}`, `${toIso(timeMs)}#${id}${OUTCOME_SUFFIX}`];
  const { endedAtMs } = (await storedEntries.find({ pk, sk })) ?? {};
  return typeof endedAtMs === 'number' ? endedAtMs : timeMs;
}
