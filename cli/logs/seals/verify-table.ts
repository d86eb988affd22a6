// Verifies a chain in the tables: its entries, and the restores after them.
import { type VerificationSources, verifyLog } from '../../../core/admin/verify-log/verify-log.ts';
import { RESTORE_ACTION } from '../../../core/contract/change-entry.ts';
import { CHANGES_PARTITION } from '../../../core/contract/tables.ts';
import type { StoredEntry } from '../../../core/ports/stored-entries.ts';
import { toIso } from '../../../core/time/iso.ts';
import type { Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import { createVerificationProgress } from './print-verification.ts';
import { type KeptHead, requireHeads } from './required-heads.ts';

type SourcePorts = Pick<Ports, 'seals' | 'storedEntries' | 'changes' | 'clock'>;

interface SourceQuery {
  readonly chain: string;
  /** Slug; undefined for the service. */
  readonly organization: string | undefined;
  readonly period: { readonly fromMs: number; readonly toMs: number };
  readonly nowMs: number;
  /** True to read changes of the slug's other organizations as well, as lists of changes show them. */
  readonly foreign: boolean;
}

interface TableChain extends SourceQuery {
  readonly head: KeptHead | undefined;
}

/** The heads are read first, since new seals may come while the chain is read. */
export async function verifyTable({ head, ...query }: TableChain, ports: SourcePorts, out: Output) {
  const { chain, organization, period, nowMs } = query;
  const heads = await requireHeads(chain, head, ports.seals);
  return verifyLog(
    { chain, organization, ...period, nowMs, heads },
    openSources(query, ports),
    createVerificationProgress(ports.clock, out),
  );
}

function openSources(
  { chain, organization, period, nowMs, foreign }: SourceQuery,
  { seals, storedEntries, changes }: SourcePorts,
): VerificationSources {
  return {
    seals: seals.seals(chain),
    entries: storedEntries.list({ organizationId: chain, organization, foreign, ...period, nowMs }),
    find: (position) => storedEntries.find(position),
    laterChanges: listRestores(
      organization,
      { fromMs: period.toMs, toMs: nowMs },
      { storedEntries, changes },
    ),
  };
}

/** Restores of a time, as they are stored. */
async function* listRestores(
  organization: string | undefined,
  { fromMs, toMs }: SourceQuery['period'],
  { storedEntries, changes }: Pick<SourcePorts, 'storedEntries' | 'changes'>,
): AsyncGenerator<StoredEntry> {
  if (organization === undefined) return;
  for await (const { actions, timeMs, id } of changes.list(organization, fromMs, toMs)) {
    if (!actions.includes(RESTORE_ACTION)) continue;
    const position = { pk: `${CHANGES_PARTITION}#${organization}`, sk: `${toIso(timeMs)}#${id}` };
    const record = await storedEntries.find(position);
    if (record !== undefined) yield { type: 'change', ...position, record };
  }
}
