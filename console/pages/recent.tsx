// The calls of a time range: figures, charts and groups.
import type { Series } from '../../cli/console/api.ts';
import { formatCompact, formatCost, formatMs, formatNumber, formatShare } from '../data/format.ts';
import { pathTo } from '../data/paths.ts';
import { CommandLine, Figure } from '../parts/layout.tsx';
import { Empty } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { Breakdown } from './breakdown.tsx';
import { Charts } from './charts.tsx';

export function Recent({ series, organization }: { readonly series: Series; readonly organization: string }) {
  const { totals } = series;
  if (series.entries === 0)
    return (
      <Empty title="No calls in this time.">
        <p>
          Choose a longer range, or make a call in the{' '}
          <a href={pathTo(organization, 'playground')}>playground</a>.
        </p>
      </Empty>
    );
  const from = new Date(series.fromMs).toISOString();
  const toLogs = (filter: Record<string, string>) => pathTo(organization, 'logs', { from, ...filter });
  return (
    <>
      <div class="figures">
        <Figure label="Requests" value={formatCompact(totals.requests)} />
        <Figure
          label="Failures"
          value={formatCompact(totals.failed)}
          {...(totals.failed > 0 ? { tone: 'bad' as const } : {})}
          detail={
            <a href={toLogs({ outcome: 'failed' })}>
              {formatShare(totals.failed, totals.requests)} of requests
            </a>
          }
        />
        <Figure
          label="Refusals"
          value={formatCompact(totals.refused)}
          detail={
            <a href={toLogs({ outcome: 'refused' })}>
              {formatShare(totals.refused, totals.requests)} of requests
            </a>
          }
        />
        <Figure label="Tokens" value={formatCompact(totals.tokens)} />
        <Figure
          label="Cost"
          value={formatCost(totals.costMicrodollars)}
          detail={series.unknownCosts > 0 && `and ${formatNumber(series.unknownCosts)} calls of unknown cost`}
        />
        <Figure
          label="Latency p50 / p99"
          value={formatMs(totals.p50Ms)}
          detail={`${formatMs(totals.p99Ms)} at p99`}
        />
      </div>
      <MissingCalls series={series} />
      <Charts series={series} />
      <Breakdown series={series} toLogs={toLogs} />
      {series.command !== '' && <CommandLine command={series.command} />}
    </>
  );
}

function MissingCalls({ series: { cutBeforeMs, isComplete, entries } }: { readonly series: Series }) {
  if (cutBeforeMs === null) return null;
  if (!isComplete)
    return (
      <p class="detail" role="status">
        Reading older calls: {formatNumber(entries)} so far, back to <Time timeMs={cutBeforeMs} brief />
      </p>
    );
  return (
    <p class="notice">
      Only the newest {formatNumber(entries)} entries are counted here. Calls before{' '}
      <Time timeMs={cutBeforeMs} /> are missing: choose a shorter range.
    </p>
  );
}
