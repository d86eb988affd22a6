// Shows one entry of the audit trail in full.
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { renderEntry } from './log-view.ts';

/** Which entry, and whose it must be. */
export interface EntryRequest {
  readonly executionId: string;
  readonly organizationId: string;
  readonly neuronId: string | undefined;
  /** The organization or neuron, for the failure. */
  readonly subject: string;
}

/** Throws `CommandFailure` for an entry of another organization or neuron just as for one that is not there. */
export async function showEntry(
  { executionId, organizationId, neuronId, subject }: EntryRequest,
  { logReader }: Pick<Ports, 'logReader'>,
  out: Output,
): Promise<void> {
  const entry = await logReader.find(executionId);
  const isMeant =
    entry !== undefined &&
    entry.organizationId === organizationId &&
    (neuronId === undefined || entry.neuronId === neuronId);
  if (!isMeant) {
    throw new CommandFailure({
      what: `There is no entry ${executionId} of ${subject}.`,
      why: 'It may be older than the retention, of another organization, or not stored yet.',
      remedy: 'A call whose entry was lost with its function is brought back by `neuron logs restore`.',
    });
  }
  out.value(entry, renderEntry(entry, out.paint));
}
