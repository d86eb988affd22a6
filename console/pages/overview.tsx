// The overview: recent calls, and the current month.

import { useLocation, useRoute } from 'preact-iso';
import { pathTo } from '../data/paths.ts';
import type { Range } from '../data/range.ts';
import { useCommand } from '../data/use-query.ts';
import { useRange, useSeries } from '../data/use-series.ts';
import type { UsageReportValue } from '../data/values.ts';
import { Choice, PageHead } from '../parts/layout.tsx';
import { Notes, QueryResult } from '../parts/state.tsx';
import { CurrentAlerts } from './alerts.tsx';
import { MonthCard } from './month.tsx';
import { Recent } from './recent.tsx';

const RANGES = [
  ['1h', '1 hour'],
  ['6h', '6 hours'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
] as const satisfies readonly (readonly [Range, string])[];
const REFRESH_MS = 30_000;

export function Overview() {
  const { organization = '' } = useRoute().params;
  const { query, route } = useLocation();
  const asked = RANGES.find(([name]) => name === query['range'])?.[0];
  const chosen = useRange(organization, asked);
  const series = useSeries(organization, chosen);
  const usage = useCommand<UsageReportValue>('usage', { organization }, REFRESH_MS);
  return (
    <>
      <PageHead
        title="Overview"
        detail="Times in UTC. Charts are drawn from the log, the month from the usage table."
      >
        <Choice<Range>
          label="Time range"
          values={RANGES}
          value={chosen.range}
          onChange={(next) => route(pathTo(organization, 'overview', { range: next }))}
        />
      </PageHead>
      <CurrentAlerts organization={organization} />
      <QueryResult query={series} lines={8}>
        {(found) => <Recent series={found} organization={organization} />}
      </QueryResult>
      <QueryResult query={usage} lines={6}>
        {(result) => (
          <>
            <MonthCard report={result.values[0]} organization={organization} />
            <Notes {...result} />
          </>
        )}
      </QueryResult>
    </>
  );
}
