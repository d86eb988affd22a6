// `neuron keys audit`: finds keys that differ from the change log, and revokes those again that a restore brought back.
import { compareKeys, type KeyDifference } from '../../core/admin/compare-keys.ts';
import { CHANGE_RETENTION_MS } from '../../core/contract/change-entry.ts';
import type { OrganizationRecord } from '../../core/ports/administration.ts';
import type { StoredKey } from '../../core/ports/keys.ts';
import { parseOrganization } from '../command/arguments.ts';
import { argument, command, flag } from '../command/command.ts';
import { EXIT, type ExitCode } from '../output/failure.ts';
import { count } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import type { Ports } from '../session/ports.ts';
import { requireOrganization } from '../session/require-stored.ts';
import { createAuditStamp } from '../session/stamped-writes.ts';

/** A difference as `--json` shows it. */
interface ListedDifference extends KeyDifference {
  readonly organization: string;
}

const MEANINGS = {
  revoked_in_log: 'revoked in the log, valid in the table',
  missing: 'created in the log, missing in the table',
  not_in_log: 'in the table, created by no command',
} as const satisfies Record<KeyDifference['difference'], string>;

const COLUMNS: readonly Column<ListedDifference>[] = [
  { head: 'ORGANIZATION', cell: ({ organization }) => organization },
  { head: 'KEY', cell: ({ keyId }) => keyId },
  { head: 'DIFFERENCE', cell: ({ difference }) => MEANINGS[difference] },
  { head: 'RECORDED', cell: ({ recordedAt }) => recordedAt },
  { head: 'BY', cell: ({ by }) => by },
];

/** Operators' clocks differ. */
const SKEW_MS = 60_000;

export const keysAudit = command({
  name: 'audit',
  description: 'Compares API keys with the change log, and revokes again those that a restore brought back.',
  arguments: {
    slugs: argument('[organization...]', 'the organizations (default: all)', parseOrganization),
  },
  options: { check: flag('--check', 'only show the differences, and exit with 1 if there are any') },
  // Missing and unrecorded keys are only reported.
  async run({ slugs, check }, { out, connect }): Promise<ExitCode> {
    const ports = await connect();
    const organizations =
      slugs.length === 0
        ? await ports.store.listOrganizations()
        : await Promise.all(slugs.map((slug) => requireOrganization(ports.store, slug)));
    const ids = new Map(organizations.map(({ slug, id }) => [slug, id]));
    const differences: ListedDifference[] = [];
    for (const organization of organizations) differences.push(...(await compare(organization, ports)));
    const owners = count(organizations.length, 'organization');
    out.list(differences, COLUMNS, `The keys of ${owners} agree with the change log.`);
    if (check) return differences.length === 0 ? EXIT.done : EXIT.failed;
    const revived = differences.filter(({ difference }) => difference === 'revoked_in_log');
    if (revived.length === 0) return EXIT.done;
    const question = `Revoke ${count(revived.length, 'key')} again? Requests with ${revived.length === 1 ? 'it' : 'them'} are then denied.`;
    await out.confirm(question, { destroys: true });
    const { since } = await createAuditStamp(ports);
    for (const { organization, keyId } of revived)
      await ports.keys.revoke(String(ids.get(organization)), keyId, since);
    out.message(`Revoked ${count(revived.length, 'key')}. Takes effect with the next request.`);
    return EXIT.done;
  },
});

async function compare(
  { id, slug }: OrganizationRecord,
  { keys, changes, clock }: Pick<Ports, 'keys' | 'changes' | 'clock'>,
): Promise<ListedDifference[]> {
  const stored: StoredKey[] = [];
  for await (const key of keys.list(id)) stored.push(key);
  const nowMs = clock.now();
  const recorded = changes.list(slug, nowMs - CHANGE_RETENTION_MS, nowMs + SKEW_MS);
  const found = await compareKeys(stored, recorded, { organizationId: id, nowMs });
  return found.map((difference) => ({ organization: slug, ...difference }));
}
