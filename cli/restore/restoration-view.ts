// Shows what a restore did, or would do.
import type { SkipReason } from '../../core/admin/restore/select-items.ts';
import type { TableName } from '../../core/contract/tables.ts';
import type { TableFeature } from '../../core/ports/restoration.ts';
import { count } from '../output/print.ts';
import type { CopyCounts } from './copy-items.ts';

const FEATURES: Readonly<Record<TableFeature, string>> = {
  timeToLive: 'expiry (TTL)',
  stream: 'stream',
  pointInTimeRecovery: 'point-in-time recovery',
  deletionProtection: 'deletion protection',
};

const MEANINGS: Readonly<Record<SkipReason, string>> = {
  expired: 'expired',
  unknown: 'no items of this table',
  deleted: 'deleted by a command',
  revoked: 'revoked by a command',
  other_organization: 'of another organization',
  restarted: 'of chains of seals that began anew',
  erased: 'of persons who were erased',
  unchecked: 'of persons whom nobody can tell from erased ones',
  state: 'state of that time',
};

/** `isCheck`: nothing was done yet. */
export function renderRestoration(
  table: TableName,
  counts: CopyCounts | undefined,
  turnedOn: readonly TableFeature[],
  { from, isCheck }: { readonly from: string; readonly isCheck: boolean },
): string {
  const lines: string[] = [];
  if (counts !== undefined) {
    const { restored, present, skipped } = counts;
    const verb = isCheck ? 'Would put back' : 'Put back';
    lines.push(`${verb} ${count(restored, 'item')} of ${from} into ${table}; ${present} were there already.`);
    for (const [reason, items] of Object.entries(skipped))
      lines.push(`Left out: ${count(items, 'item')} (${MEANINGS[reason as SkipReason]}).`);
  }
  if (turnedOn.length > 0) {
    const features = turnedOn.map((feature) => FEATURES[feature]).join(', ');
    lines.push(`${isCheck ? 'Would turn on' : 'Turned on'}: ${features}.`);
  }
  return lines.length === 0 ? `The table ${table} lacks nothing.` : lines.join('\n');
}
