// The first page: every organization of the service, those that cost or fail most first, and what needs a look now.
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { CommandResult } from '../../../cli/console/api.ts';
import { formatCompact, formatCost, formatNumber, formatShare } from '../../data/format.ts';
import { pathTo } from '../../data/paths.ts';
import { type ServiceView, toPath } from '../../data/service-view.ts';
import type { Query } from '../../data/use-query.ts';
import type { OrganizationValue, ServiceUsageValue } from '../../data/values.ts';
import { Form, TextField } from '../../parts/field.tsx';
import { Choice, CommandLine, Figure, PageHead } from '../../parts/layout.tsx';
import { Empty, Notes, QueryResult } from '../../parts/state.tsx';
import { Attention } from './attention.tsx';
import { CurrentServiceAlerts } from './current-alerts.tsx';
import { OrganizationTable } from './organization-table.tsx';

const PERIODS = [
  ['day', 'Today'],
  ['month', 'This month'],
] as const;

/** Max. organizations without a call that are listed. */
const MAX_LISTED = 50;

export function Service({
  view,
  usage,
  organizations,
}: {
  readonly view: ServiceView;
  readonly usage: Query<CommandResult<ServiceUsageValue>>;
  /** Read only where no organization has a call. */
  readonly organizations: Query<CommandResult<OrganizationValue>>;
}) {
  const { route } = useLocation();
  return (
    <>
      <PageHead
        title="All organizations"
        detail="From the daily rows of each organization; calls appear after a few seconds. Days are in UTC."
      >
        <Choice
          label="Period"
          values={PERIODS}
          value={view.period}
          onChange={(period) => route(toPath({ ...view, period }))}
        />
      </PageHead>
      <QueryResult query={usage} lines={8}>
        {({ values: [found], command, warnings }) =>
          found === undefined || found.called === 0 ? (
            <NoCalls organizations={organizations} />
          ) : (
            <>
              <CurrentServiceAlerts alerts={found.alerts} />
              <Totals usage={found} />
              <Attention usage={found} />
              <OrganizationTable usage={found} view={view} />
              <OpenOrganization />
              <Notes warnings={warnings} />
              <CommandLine command={command} />
            </>
          )
        }
      </QueryResult>
      {usage.error !== undefined && usage.data === undefined && <OpenOrganization />}
    </>
  );
}

function Totals({ usage: { called, totals } }: { readonly usage: ServiceUsageValue }) {
  const { requests, failed, refused: rejected, unknownCosts } = totals;
  return (
    <div class="figures">
      <Figure
        label="Cost"
        value={formatCost(totals.costMicrodollars)}
        detail={unknownCosts > 0 && `and ${formatNumber(unknownCosts)} calls of unknown cost`}
      />
      <Figure label="Requests" value={formatCompact(requests)} />
      <Figure
        label="Failures"
        value={formatCompact(failed)}
        detail={`${formatShare(failed, requests)} of requests`}
        {...(failed > 0 ? { tone: 'bad' as const } : {})}
      />
      <Figure
        label="Refusals"
        value={formatCompact(rejected)}
        detail={`${formatShare(rejected, requests)} of requests`}
      />
      <Figure label="Organizations that called" value={formatNumber(called)} />
    </div>
  );
}

/** Leads to an organization by its slug: with thousands of them no list would help, and not everybody may list them. */
export function OpenOrganization() {
  const [slug, setSlug] = useState('');
  const { route } = useLocation();
  const isSlug = /^[a-z0-9-]+$/.test(slug);
  return (
    <Form class="form open-organization" onSubmit={() => isSlug && route(pathTo(slug, 'overview'))}>
      <TextField label="Organization" value={slug} onChange={setSlug} placeholder="acme" />
      <button type="submit" disabled={!isSlug}>
        Open
      </button>
    </Form>
  );
}

function NoCalls({ organizations }: { readonly organizations: Query<CommandResult<OrganizationValue>> }) {
  return (
    <QueryResult query={organizations}>
      {({ values }) =>
        values.length === 0 ? (
          <NoOrganization />
        ) : (
          <>
            <Empty title="No organization has a call in this time.">
              <p>Choose a longer time, or open an organization and make a call in its playground.</p>
            </Empty>
            <ul class="organizations" aria-label="Organizations">
              {values.slice(0, MAX_LISTED).map(({ organization }) => (
                <li key={organization}>
                  <a href={pathTo(organization, 'overview')}>{organization}</a>
                </li>
              ))}
            </ul>
            {values.length > MAX_LISTED && <OpenOrganization />}
          </>
        )
      }
    </QueryResult>
  );
}

export function NoOrganization() {
  return (
    <Empty title="There are no organizations yet.">
      <p>
        Create one from a settings file: <code>neuron init settings</code>, then{' '}
        <code>neuron apply settings</code>.
      </p>
    </Empty>
  );
}
