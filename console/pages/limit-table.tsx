// A table of limits, and parts of it that other pages also show.
import { formatAmount, formatRelative, formatShare } from '../data/format.ts';
import { pathTo, pathToNeuron } from '../data/paths.ts';
import { useKeyNames } from '../data/use-key-names.ts';
import type { LimitValue } from '../data/values.ts';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

export function LimitTable({
  organization,
  limits,
}: {
  readonly organization: string;
  readonly limits: readonly LimitValue[];
}) {
  const nameOf = useKeyNames(organization, limits);
  return (
    <Table<LimitValue>
      label="Limits"
      rows={limits}
      keyOf={(limit) =>
        JSON.stringify([limit.neuron, limit.keyId, limit.metric, limit.scope, limit.period, limit.limit])
      }
      columns={[
        {
          head: 'Of',
          cell: (limit) => (
            <>
              <Owner organization={organization} limit={limit} nameOf={nameOf} />
              <span class="narrow local">{describeLimit(limit)}</span>
            </>
          ),
        },
        { head: 'Limit', shown: 'medium', cell: describeLimit },
        { head: 'Used', cell: (limit) => <Meter limit={limit} /> },
        {
          head: 'Held',
          align: 'right',
          shown: 'medium',
          cell: ({ metric, held }) => formatAmount(metric, held),
        },
        {
          head: 'Remaining',
          align: 'right',
          cell: ({ metric, remaining }) => formatAmount(metric, remaining),
        },
        { head: 'Resets (UTC)', shown: 'medium', cell: ({ resetsAt }) => <Reset resetsAt={resetsAt} /> },
      ]}
    />
  );
}

function Owner({
  organization,
  limit: { neuron, keyId },
  nameOf,
}: {
  readonly organization: string;
  readonly limit: LimitValue;
  readonly nameOf: (keyId: string) => string;
}) {
  if (neuron !== null) return <a href={pathToNeuron(organization, neuron)}>{neuron}</a>;
  if (keyId === null) return <>{organization}</>;
  return (
    <a href={pathTo(organization, 'keys')}>
      <Line text={nameOf(keyId)} />
    </a>
  );
}

/** `1,000 requests per user each hour`, `30 requests every 5 min`. */
export function describeLimit({ metric, scope, period, limit }: LimitValue): string {
  const per = scope === 'user' ? ' per user' : scope === 'ip' ? ' per address' : '';
  const unit = metric === 'cost' ? '' : metric === 'concurrent' ? ' at once' : ` ${metric}`;
  return `${formatAmount(metric, limit)}${unit}${per}${period ? ` ${describePeriod(period)}` : ''}`;
}

const UNITS: Readonly<Record<string, readonly [one: string, short: string]>> = {
  s: ['second', 's'],
  m: ['minute', 'min'],
  h: ['hour', 'h'],
  d: ['day', 'days'],
};

/** `each day` for `day` and `1d`, `every 5 min` for `5m`. */
function describePeriod(period: string): string {
  const [, count, letter = ''] = /^(\d+)([smhd])$/.exec(period) ?? [];
  const unit = UNITS[letter];
  if (count === undefined || unit === undefined) return `each ${period}`;
  return count === '1' ? `each ${unit[0]}` : `every ${count} ${unit[1]}`;
}

export function Meter({ limit: { metric, used, held, limit } }: { readonly limit: LimitValue }) {
  if (used === null) return <span class="local">name a user, key or address</span>;
  const taken = used + (held ?? 0);
  const share = limit === 0 ? 1 : Math.min(1, taken / limit);
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good';
  return (
    <span class="meter-line">
      <span
        class={`meter ${tone}`}
        role="meter"
        aria-label="Used and held"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <i style={{ width: `${share * 100}%` }} />
      </span>
      {formatAmount(metric, used)} <span class="local">{formatShare(taken, limit)}</span>
    </span>
  );
}

function Reset({ resetsAt }: { readonly resetsAt: string | null }) {
  if (resetsAt === null) return <>–</>;
  const timeMs = Date.parse(resetsAt);
  return (
    <>
      <Time timeMs={timeMs} brief /> <span class="local">({formatRelative(timeMs, Date.now())})</span>
    </>
  );
}
