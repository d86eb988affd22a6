// The page: loads the session and the organizations, and draws the page of the address.

import { useEffect } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { loadSession } from './data/api.ts';
import { pathTo } from './data/paths.ts';
import { toView } from './data/service-view.ts';
import { type Query, useCommand, useQuery } from './data/use-query.ts';
import type { OrganizationValue, ServiceUsageValue } from './data/values.ts';
import { Access } from './pages/access.tsx';
import { Changes } from './pages/changes.tsx';
import { Guards } from './pages/guards.tsx';
import { Health } from './pages/health.tsx';
import { Keys } from './pages/keys.tsx';
import { Limits } from './pages/limits.tsx';
import { Logs } from './pages/logs/logs.tsx';
import { Neuron } from './pages/neuron.tsx';
import { Neurons } from './pages/neurons.tsx';
import { Overview } from './pages/overview.tsx';
import { People } from './pages/people/people.tsx';
import { Playground } from './pages/playground.tsx';
import { Rollouts } from './pages/rollouts/rollouts.tsx';
import { NoOrganization, OpenOrganization, Service } from './pages/service/service.tsx';
import { PageHead } from './parts/layout.tsx';
import { Failure, QueryResult } from './parts/state.tsx';
import { Shell } from './shell.tsx';

const REFRESH_MS = 30_000;

export function App() {
  return (
    <LocationProvider>
      <ConsolePages />
    </LocationProvider>
  );
}

function ConsolePages() {
  const session = useQuery('session', loadSession);
  const isSignedIn = session.data !== undefined;
  const { path, query } = useLocation();
  const isFirst = path === '/';
  const view = toView(query);
  const usage = useCommand<ServiceUsageValue>(
    isSignedIn && isFirst ? 'usageAll' : undefined,
    { period: view.period, sort: view.order },
    REFRESH_MS,
  );
  const called = usage.data?.values[0]?.organizations ?? [];
  // At thousands of organizations nothing of the first page reads the list of all.
  const needsList = isFirst ? usage.data !== undefined && called.length === 0 : true;
  const organizations = useCommand<OrganizationValue>(isSignedIn && needsList ? 'organizations' : undefined);
  if (session.data === undefined)
    return (
      <main class="alone">
        <h1 class="hidden">Neuron console</h1>
        {session.error && <Failure error={session.error} retry={session.reload} />}
      </main>
    );
  const values = organizations.data?.values;
  if (isFirst)
    return (
      <Shell session={session.data} organizations={called.length > 0 ? called : (values ?? [])}>
        <Service view={view} usage={usage} organizations={organizations} />
      </Shell>
    );
  return (
    <Shell session={session.data} organizations={values ?? []}>
      {organizations.error !== undefined && values === undefined ? (
        <Unlisted query={organizations} />
      ) : (
        <QueryResult query={organizations}>
          {({ values: found }) =>
            found.length === 0 ? <NoOrganization /> : <Pages first={found[0]?.organization} />
          }
        </QueryResult>
      )}
    </Shell>
  );
}

function Pages({ first = '' }: { readonly first?: string | undefined }) {
  return (
    <Router>
      <Route path="/o/:organization/overview" component={Overview} />
      <Route path="/o/:organization/logs" component={Logs} />
      <Route path="/o/:organization/neurons" component={Neurons} />
      <Route path="/o/:organization/neurons/:neuron" component={Neuron} />
      <Route path="/o/:organization/keys" component={Keys} />
      <Route path="/o/:organization/limits" component={Limits} />
      <Route path="/o/:organization/access" component={Access} />
      <Route path="/o/:organization/guards" component={Guards} />
      <Route path="/o/:organization/people" component={People} />
      <Route path="/o/:organization/rollouts" component={Rollouts} />
      <Route path="/o/:organization/playground" component={Playground} />
      <Route path="/o/:organization/changes" component={Changes} />
      <Route path="/o/:organization/health" component={Health} />
      <Route default component={() => <Redirect first={first} />} />
    </Router>
  );
}

/** Leads any other address of an organization to the overview of its organization, else of the first one. */
function Redirect({ first }: { readonly first: string }) {
  const { path, route } = useLocation();
  const named = /^\/o\/([a-z0-9-]+)/.exec(path)?.[1];
  useEffect(() => {
    if (path === `/o/${named}`) route(pathTo(named ?? first, 'overview'), true);
  }, [path, named, first, route]);
  return (
    <PageHead
      title="There is no such page."
      detail={<a href={pathTo(named ?? first, 'overview')}>Go to the overview</a>}
    />
  );
}

/** The list of organizations is an operator's: whoever may read less names one. */
function Unlisted({ query: { error, reload } }: { readonly query: Query<unknown> }) {
  const { path } = useLocation();
  if (/^\/o\/[a-z0-9-]+\/./.test(path)) return <Pages />;
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      <OpenOrganization />
    </>
  );
}
