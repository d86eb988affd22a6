// Verifies a chain in the tables: its entries, and the restores after them.
import type { DigestUsername } from '../../../core/admin/verify-log/erasures.ts';
import { type VerificationSources, verifyLog } from '../../../core/admin/verify-log/verify-log.ts';
import { ERASE_ACTION, RESTORE_ACTION } from '../../../core/contract/change-entry.ts';
import { digestUsername, readStoredName } from '../../../core/logs/erasure/erased-name.ts';
import type { StoredEntry } from '../../../core/ports/stored-entries.ts';
import type { Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import { readLogKeys } from '../../users/log-keys.ts';
import { listChanges } from './list-changes.ts';
import { createVerificationProgress } from './print-verification.ts';
import { type KeptHead, requireHeads } from './required-heads.ts';

type SourcePorts = Pick<Ports, 'seals' | 'storedEntries' | 'changes' | 'clock' | 'secretReader'>;

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
    await openSources(query, ports, out),
    createVerificationProgress(ports.clock, out),
  );
}

async function openSources(
  { chain, organization, period, nowMs, foreign }: SourceQuery,
  { seals, storedEntries, changes, secretReader }: SourcePorts,
  out: Output,
): Promise<VerificationSources> {
  const erasures: StoredEntry[] = [];
  const since = { fromMs: period.fromMs - SKEW_MS, toMs: nowMs + SKEW_MS };
  for await (const one of listChanges(ERASE_ACTION, organization, since, { storedEntries, changes }))
    erasures.push(one);
  return {
    erasures,
    digestUsername: await openDigests(chain, erasures, secretReader, out),
    seals: seals.seals(chain),
    entries: storedEntries.list({ organizationId: chain, organization, foreign, ...period, nowMs }),
    find: (position) => storedEntries.find(position),
    laterChanges: listChanges(
      RESTORE_ACTION,
      organization,
      { fromMs: period.toMs, toMs: nowMs },
      { storedEntries, changes },
    ),
  };
}

/** Operators' clocks differ. */
const SKEW_MS = 60_000;

/** Digests names as erasures have them. Auditors may not read the keys: what is left of a person is then not found by the name. */
async function openDigests(
  chain: string,
  erasures: readonly StoredEntry[],
  secrets: SourcePorts['secretReader'],
  out: Output,
): Promise<DigestUsername | undefined> {
  const ids = new Set(erasures.flatMap(({ record }) => readStoredName(record)?.key ?? []));
  if (ids.size === 0) return undefined;
  const keys = await readLogKeys(chain, ids, secrets).catch(() => new Map<string, string>());
  if (keys.size === 0)
    out.message(
      'The keys of the log cannot be read: entries that are left of erased persons are not looked for.',
    );
  return (username, id) => {
    const key = keys.get(id);
    return key === undefined ? undefined : digestUsername(username, key);
  };
}
