// `neuron usage --all`: every organization of the service, those that cost most first, with alerts and limits that are nearly used.
import { mapAtOnce } from '../../core/async/at-once.ts';
import type { UsageRow } from '../../core/ports/usage.ts';
import { addRows } from '../../core/usage/merge-rows.ts';
import type { ListedLimit } from '../json/limits.ts';
import type { CurrentAlert, Days, OrganizationUsage, ServiceUsage } from '../json/usage.ts';
import { isDenied } from '../output/aws-failures.ts';
import type { Ports } from '../session/ports.ts';
import { listNearlyUsed } from '../status/current-limits.ts';
import { toRequestUsage } from './show-usage.ts';

/** By which organizations are sorted, the largest first. */
export const USAGE_ORDERS = [
  'cost',
  'requests',
  'failed',
  'refused',
  'tokens',
  'guards',
  'rollouts',
] as const;
export type UsageOrder = (typeof USAGE_ORDERS)[number];

/** Max. organizations whose limits are read: two reads each. */
export const MAX_ORGANIZATIONS = 100;
const ORGANIZATIONS_AT_ONCE = 16;

export type AllPorts = Pick<Ports, 'store' | 'usage' | 'alerts' | 'counterReader' | 'clock' | 'stack'>;

interface AllQuery {
  readonly days: Days;
  readonly order: UsageOrder;
  /** Organizations in the result; the totals are those of all. */
  readonly maximum: number;
}

/** Reads a row for each organization and day with a request, and nothing of any other organization. */
export async function readServiceUsage(
  { days, order, maximum }: AllQuery,
  ports: AllPorts,
): Promise<ServiceUsage> {
  const [sums, alerts] = await Promise.all([addUpOrganizations(days, ports), listAlerts(ports)]);
  const all = [...sums.values()].map(toOrganizationUsage).sort((one, other) => compare(order, one, other));
  const found = await mapAtOnce(all.slice(0, maximum), ORGANIZATIONS_AT_ONCE, async (one) => ({
    ...one,
    limits: await readNearlyUsed(one, ports),
  }));
  const isWithheld = found.some(({ limits }) => limits === undefined);
  const rows = [...sums.values()].map(({ row }) => row);
  return {
    ...days,
    called: all.length,
    totals: toRequestUsage(rows),
    organizations: found.map((one) => ({ ...one, limits: one.limits ?? [] })),
    ...(isWithheld ? { limitsWithheld: true } : {}),
    alerts,
  };
}

interface OrganizationSum {
  readonly row: UsageRow;
  readonly slug: string;
}

/** By id: a slug may be used again. The latest day gives the slug. */
async function addUpOrganizations(
  days: Days,
  { usage }: Pick<AllPorts, 'usage'>,
): Promise<ReadonlyMap<string, OrganizationSum>> {
  const sums = new Map<string, OrganizationSum>();
  for await (const row of usage.listOrganizations(days)) {
    if (row.subject.kind !== 'organization') continue;
    const { row: before } = sums.get(row.organizationId) ?? {};
    const sum = before === undefined ? row : addRows({ ...before, day: row.day }, row);
    sums.set(row.organizationId, { row: sum, slug: row.subject.slug });
  }
  return sums;
}

type Sum = Omit<OrganizationUsage, 'limits'>;

function toOrganizationUsage({ row, slug }: OrganizationSum): Sum {
  const {
    'guard#blocked': blocked = 0,
    'guard#notJudged': notJudged = 0,
    'rollout#runs': runs = 0,
  } = row.buckets ?? {};
  return {
    organization: slug,
    organizationId: row.organizationId,
    ...toRequestUsage([row]),
    guardBlocked: blocked,
    guardNotJudged: notJudged,
    rolloutRuns: runs,
  };
}

function compare(order: UsageOrder, one: Sum, other: Sum): number {
  const amountOf = (sum: Sum) => {
    if (order === 'cost') return sum.costMicrodollars;
    if (order === 'tokens') return sum.tokensInput + sum.tokensOutput;
    if (order === 'rollouts') return sum.rolloutRuns;
    return order === 'guards' ? sum.guardBlocked + sum.guardNotJudged : sum[order];
  };
  const difference = amountOf(other) - amountOf(one);
  if (difference !== 0) return difference;
  return other.requests - one.requests || (one.organization < other.organization ? -1 : 1);
}

/** None for an organization that was deleted since; undefined where the rights of a reader do not reach the counters. */
async function readNearlyUsed(
  { organization: slug, organizationId }: Sum,
  ports: AllPorts,
): Promise<readonly ListedLimit[] | undefined> {
  const organization = await ports.store.readOrganization(slug);
  if (organization?.id !== organizationId) return [];
  return listNearlyUsed(organization, [], ports).catch((error: unknown) => {
    if (isDenied(error)) return undefined;
    throw error;
  });
}

/** The highest share of each limit, the largest first. */
async function listAlerts({ alerts, clock }: AllPorts): Promise<readonly CurrentAlert[]> {
  const highest = new Map<string, CurrentAlert>();
  for await (const { organization, keyId = null, metric, period, share } of alerts.listCurrent(clock.now())) {
    const name = JSON.stringify([organization, keyId, metric, period]);
    if ((highest.get(name)?.share ?? 0) < share)
      highest.set(name, { organization, keyId, metric, period, share });
  }
  return [...highest.values()].sort(
    (one, other) => other.share - one.share || (one.organization < other.organization ? -1 : 1),
  );
}
