// Shows usage: the whole report with its forecast, or one table of it.
import type { UsageQuery, UsageRow } from '../../core/ports/usage.ts';
import { organizationSchema } from '../../core/settings/organization-schema.ts';
import type { UsageLimit } from '../../core/settings/usage-limits.ts';
import { describeDropped, type Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { compareLimits, forecastMonth } from './forecast.ts';
import { type Dimension, type KnownKey, listUsage } from './usage-by.ts';
import { toUsageReport } from './usage-report.ts';
import { renderUsage } from './usage-view.ts';

interface ReportInput {
  readonly args: { readonly organization: string; readonly by: Dimension | undefined };
  readonly ports: Pick<Ports, 'store' | 'keys' | 'usage' | 'clock'>;
  readonly out: Output;
}

/** The rollups lag some seconds behind the calls. */
export async function showUsage(query: UsageQuery, { args, ports, out }: ReportInput): Promise<void> {
  const rows: UsageRow[] = [];
  for await (const row of ports.usage.list(query)) rows.push(row);
  const { fromDay, toDay } = query;
  const report = toUsageReport(args.organization, { fromDay, toDay }, rows);
  const nowMs = ports.clock.now();
  if (args.by !== undefined) {
    const keys = args.by === 'key' ? await readKeys(query, ports) : new Map();
    return listUsage(args.by, report, { keys, nowMs }, out);
  }
  if (rows.length === 0 && !out.json) {
    out.message(
      `No usage of ${args.organization} from ${fromDay} to ${toDay}. Calls appear after a few seconds.`,
    );
    return;
  }
  const forecast = forecastMonth(report.totals, report, nowMs) ?? null;
  const limits = compareLimits(
    await readLimits(args.organization, query, ports),
    report.totals,
    report,
    nowMs,
  );
  const full = { ...report, forecast, limits };
  const { text, dropped } = renderUsage(full, out);
  out.value(full, text);
  if (dropped.length > 0 && !out.json) out.message(describeDropped(dropped));
}

async function readKeys(
  { organizationId }: UsageQuery,
  { keys }: ReportInput['ports'],
): Promise<ReadonlyMap<string, KnownKey>> {
  const known = new Map<string, KnownKey>();
  for await (const { keyId, name, usageLimits = [] } of keys.list(organizationId))
    known.set(keyId, { name, limits: usageLimits });
  return known;
}

/** The present limits; none for a deleted organization, and for one whose document this release cannot read. */
async function readLimits(
  organization: string,
  { organizationId }: UsageQuery,
  { store }: ReportInput['ports'],
): Promise<readonly UsageLimit[]> {
  const record = await store.readOrganization(organization);
  const parsed = organizationSchema.safeParse(record?.document);
  if (record?.id !== organizationId || !parsed.success) return [];
  return parsed.data.usageLimits.filter((limit) => limit.metric !== 'concurrent');
}
