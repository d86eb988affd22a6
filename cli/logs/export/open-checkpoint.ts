// Opens the checkpoint of an export: that of an interrupted one with the same request, or a new one.
import type { StoredType } from '../../../core/ports/stored-entries.ts';
import { toIso } from '../../../core/time/iso.ts';
import { CommandFailure, usageFailure } from '../../output/failure.ts';
import { count, type Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import { findLogOwner } from '../find-log-owner.ts';
import { type LogOptions, toPeriod } from '../log-options.ts';
import { exists } from './exists.ts';
import { rejectAfterErasure, rejectDuringErasure } from './reject-erasures.ts';
import {
  type Checkpoint,
  type ExportPaths,
  type ExportRequest,
  readCheckpoint,
  writeCheckpoint,
} from './spool.ts';

interface ExportInput {
  readonly organization: string;
  readonly format: string;
  readonly options: LogOptions;
  readonly paths: ExportPaths;
}

type CheckpointPorts = Pick<Ports, 'store' | 'changes' | 'storedEntries' | 'clock' | 'stack'>;

/** Throws `CommandFailure` where the file exists, another export was started beside it, or an erasure is under way or newer. */
export async function openCheckpoint(
  input: ExportInput,
  ports: CheckpointPorts,
  out: Output,
): Promise<Checkpoint> {
  const { paths } = input;
  const found = await readCheckpoint(paths.checkpoint);
  if (found === undefined && (await exists(paths.out)))
    throw usageFailure(`${paths.out} exists already.`, 'Pass another --out, or delete the file first.');
  const startedMs = found?.startedMs ?? ports.clock.now();
  const request = await toRequest(input, startedMs, ports, out);
  if (found === undefined) {
    await rejectDuringErasure({ request, startedMs }, ports);
    const counts = { call: 0, change: 0, outcome: 0 };
    const checkpoint: Checkpoint = { version: 1, request, startedMs, counts, bytes: 0, isComplete: false };
    await writeCheckpoint(paths.checkpoint, checkpoint);
    return checkpoint;
  }
  const names = Object.keys(REQUEST_NAMES) as (keyof ExportRequest)[];
  const differing = names.find((name) => found.request[name] !== request[name]);
  if (differing !== undefined)
    throw new CommandFailure({
      what: `An export that was begun at ${toIso(startedMs)} and interrupted differs from this one in ${REQUEST_NAMES[differing]}.`,
      remedy: `Run that command again to continue it, delete ${paths.checkpoint} and ${paths.part} to begin again, or pass another --out.`,
    });
  await rejectAfterErasure(paths, found, ports);
  out.message(
    `Continuing the export begun at ${toIso(startedMs)}, with ${describeCounts(found.counts)} so far.`,
  );
  return found;
}

/** Names of the members of a request, in words of an operator. */
const REQUEST_NAMES: Readonly<Record<keyof ExportRequest, string>> = {
  table: 'the stack',
  organization: 'the organization',
  organizationId: 'the organization',
  format: '--format',
  fromMs: 'the time range',
  toMs: 'the time range',
};

/** Relative times are relative to the start of the export, so that the same command means the same period later. */
async function toRequest(
  { organization, format, options }: ExportInput,
  startedMs: number,
  ports: CheckpointPorts,
  out: Output,
): Promise<ExportRequest> {
  const { since, from, to, deleted } = options;
  if (since === undefined && from === undefined)
    throw usageFailure(
      'Neither --from nor --since was given.',
      'Pass the time to begin with, such as --from 2026-11.',
    );
  const { fromMs, toMs } = toPeriod({ since, from, to }, startedMs);
  // `logs verify` rejects an export of an empty period.
  if (fromMs >= startedMs) throw usageFailure('The period begins in the future.');
  const owner = await findLogOwner({ organization, neuron: undefined }, { deleted, fromMs }, ports, out);
  const { organizationId } = owner;
  // Later entries would come while it runs, or after an interruption.
  return {
    table: ports.stack.outputs.logsTable,
    organization,
    organizationId,
    format,
    fromMs,
    toMs: Math.min(toMs, startedMs),
  };
}

/** Outcomes are not counted, since each belongs to its change. */
export function describeCounts({ call, change }: Readonly<Record<StoredType, number>>): string {
  return `${count(call, 'call')} and ${count(change, 'change')}`;
}
