// A person: everything that is kept, by place, and the way to export or erase it.
import { useLocation, useRoute } from 'preact-iso';
import { pathTo } from '../../data/paths.ts';
import { useCommand } from '../../data/use-query.ts';
import type { EntryValue, PersonValue } from '../../data/values.ts';
import { Card, PageHead } from '../../parts/layout.tsx';
import { ResultCard } from '../../parts/result-card.tsx';
import { Empty } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Calls } from './calls.tsx';
import { Kept } from './kept.tsx';
import { PersonForm } from './person-form.tsx';

const SINCE = '30d';
const SHOWN_CALLS = 10;

export function People() {
  const { organization = '' } = useRoute().params;
  const { query } = useLocation();
  const user = query['user'] ?? '';
  return (
    <>
      <PageHead
        title="People"
        detail={
          <>
            What is kept of one person, to hand it out or to erase it. Counting, exporting and erasing need
            the rights of <code>grantErase</code> beside those of an operator.
          </>
        }
      />
      <PersonForm key={user} organization={organization} user={user} />
      {user === '' ? (
        <Empty title="Name a person.">
          <p>
            The name is that in the log: the username of a JWT, or that of an end user of an API key, which
            begins with <code>nrn_KEY_ID/</code>.
          </p>
        </Empty>
      ) : (
        <Person key={`${organization} ${user}`} organization={organization} user={user} />
      )}
    </>
  );
}

interface PersonProps {
  readonly organization: string;
  readonly user: string;
}

function Person({ organization, user }: PersonProps) {
  const kept = useCommand<PersonValue>('person', { organization, user });
  const calls = useCommand<EntryValue>('logs', {
    target: organization,
    user,
    since: SINCE,
    limit: SHOWN_CALLS,
  });
  const reload = () => {
    kept.reload();
    calls.reload();
  };
  return (
    <>
      <ResultCard<PersonValue> query={kept} title="Kept" lines={5}>
        {([report]) =>
          report && <Kept organization={organization} user={user} report={report} onDone={reload} />
        }
      </ResultCard>
      {kept.data?.values[0] && <NotReached report={kept.data.values[0]} />}
      <ResultCard<EntryValue>
        query={calls}
        title="Newest calls"
        aside={<a href={pathTo(organization, 'logs', { user, since: SINCE })}>All in the log</a>}
        none={<Empty title="No calls in 30 days." />}
      >
        {(values) => <Calls organization={organization} user={user} since={SINCE} calls={values} />}
      </ResultCard>
    </>
  );
}

type OtherPlace = PersonValue['notReached'][number];

function NotReached({ report: { notReached } }: { readonly report: PersonValue }) {
  return (
    <Card title="Not reached by an erasure" wide>
      <Table<OtherPlace>
        label="Places that an erasure does not reach"
        rows={notReached}
        keyOf={({ place }) => place}
        columns={[
          { head: 'Place', cell: ({ place }) => place },
          { head: 'Until', cell: ({ until }) => until },
        ]}
      />
    </Card>
  );
}
