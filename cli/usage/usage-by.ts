// `neuron usage --by`: lists usage by one dimension.
import { InvalidArgumentError } from 'commander';
import type { KeyLimits } from '../../core/ports/keys.ts';
import type { KeyUsage, UsageReport } from '../json/usage.ts';
import type { Output } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import { findNamesOfUser, type NamePorts } from '../session/names-of-user.ts';
import type { Ports } from '../session/ports.ts';
import { FEEDBACK_COLUMNS } from './feedback-usage.ts';
import { compareLimits, periodOf } from './forecast.ts';
import { findSkewedSplits } from './split-ratio.ts';
import { COLUMNS, renderAmount, renderLimit } from './usage-view.ts';

const DIMENSIONS = [
  'key',
  'neuron',
  'model',
  'username',
  'day',
  'version',
  'branch',
  'rollout',
  'feedback',
] as const;

/** `tag:NAME` for one tag. */
export type Dimension = (typeof DIMENSIONS)[number] | `tag:${string}`;

/** Parses `--by`. Throws `InvalidArgumentError`. */
export function parseDimension(text: string): Dimension {
  const dimension = DIMENSIONS.find((one) => one === text);
  if (dimension !== undefined) return dimension;
  if (/^tag:.+/.test(text)) return text as `tag:${string}`;
  throw new InvalidArgumentError(`It must be ${DIMENSIONS.join(', ')} or tag:NAME, such as tag:team.`);
}

export interface KnownKey {
  readonly name: string;
  readonly limits: KeyLimits;
}

/** A key is shown with all its limits. Those of another period than the report have no used amounts. */
function keyColumns(known: ReadonlyMap<string, KnownKey>, report: UsageReport): readonly Column<KeyUsage>[] {
  const othersOf = (keyId: string) =>
    (known.get(keyId)?.limits ?? []).filter(({ period }) => period !== periodOf(report));
  const renderLimits = ({ keyId, limits }: KeyUsage) =>
    [...limits.map(renderLimit), ...othersOf(keyId).map(renderAmount)].join(', ');
  return [
    ...COLUMNS.keys,
    { head: 'NAME', cell: ({ name }) => name ?? undefined, flexible: true, drop: 7 },
    { head: 'LIMITS', cell: (usage) => renderLimits(usage) || undefined },
  ];
}

function toKeyUsage(
  report: UsageReport,
  keys: ReadonlyMap<string, KnownKey>,
  nowMs: number,
): readonly KeyUsage[] {
  return report.keys.map((usage) => {
    const known = keys.get(usage.keyId);
    const limits = compareLimits(known?.limits ?? [], usage, report, nowMs);
    return { name: known?.name ?? null, ...usage, limits };
  });
}

interface ListContext {
  readonly keys: ReadonlyMap<string, KnownKey>;
  readonly nowMs: number;
  readonly store: Pick<Ports['store'], 'readVersion'>;
}

export async function listUsage(
  dimension: Dimension,
  report: UsageReport,
  { keys, nowMs, store }: ListContext,
  out: Output,
): Promise<void> {
  const none = `No usage of ${report.organization} by ${dimension} from ${report.fromDay} to ${report.toDay}.`;
  if (dimension.startsWith('tag:')) {
    const name = dimension.slice('tag:'.length);
    out.list(
      report.tags.filter(({ tag }) => tag === name),
      COLUMNS.tags,
      none,
    );
    return;
  }
  const lists: Readonly<Record<string, () => void>> = {
    key: () => out.list(toKeyUsage(report, keys, nowMs), keyColumns(keys, report), none),
    neuron: () => out.list(report.neurons, COLUMNS.neurons, none),
    model: () => out.list(report.models, COLUMNS.models, none),
    username: () => out.list(report.users, COLUMNS.users, none),
    day: () => out.list(report.days, COLUMNS.days, none),
    feedback: () => out.list(report.feedback, FEEDBACK_COLUMNS, none),
    version: () => out.list(report.versions, COLUMNS.versions, none),
    branch: () => out.list(report.branches, COLUMNS.branches, none),
    rollout: () => out.list(report.arms, COLUMNS.arms, none),
  };
  lists[dimension]?.();
  if (dimension === 'branch') for (const skew of await findSkewedSplits(report, store)) out.message(skew);
}

/** The rows of one user, under the name and its digest. */
export async function listUsageOfUser(
  username: string,
  report: UsageReport,
  { organizationId, ports }: { readonly organizationId: string; readonly ports: NamePorts },
  out: Output,
): Promise<void> {
  const { organization, users } = report;
  const names = await findNamesOfUser(username, { organizationId, organization }, ports, out);
  const none = `No usage of ${organization} by this user from ${report.fromDay} to ${report.toDay}.`;
  out.list(
    users.filter((one) => names.includes(one.username)),
    COLUMNS.users,
    none,
  );
}
