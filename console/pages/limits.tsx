// Shows limits with their used, held and remaining amounts, and alerts.

import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { pathTo } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type { LimitValue } from '../data/values.ts';
import { Form, TextField } from '../parts/field.tsx';
import { PageHead } from '../parts/layout.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { Empty } from '../parts/state.tsx';
import { AlertsCard } from './alerts.tsx';
import { LimitTable } from './limit-table.tsx';

const REFRESH_MS = 10_000;

export function Limits() {
  const { organization = '' } = useRoute().params;
  const { query } = useLocation();
  const { user, key, ip } = query;
  const subject = { user, key, ip };
  const limits = useCommand<LimitValue>('limits', { target: organization, ...subject }, REFRESH_MS);
  return (
    <>
      <PageHead
        title="Limits"
        detail="Current window. Settings files set limits; counters are never changed by hand."
      />
      <SubjectForm key={JSON.stringify(subject)} organization={organization} subject={subject} />
      <ResultCard<LimitValue>
        query={limits}
        title="Limits"
        none={
          <Empty title={`${organization} has no limits.`}>
            <p>
              Add <code>rateLimits</code> to a neuron or <code>usageLimits</code> to the organization, then
              run <code>neuron apply</code>.
            </p>
          </Empty>
        }
      >
        {(values) => <LimitTable organization={organization} limits={values} />}
      </ResultCard>
      <AlertsCard organization={organization} />
    </>
  );
}

interface Subject {
  readonly user: string | undefined;
  readonly key: string | undefined;
  readonly ip: string | undefined;
}

/** Selects the counters of limits per user and per address. */
function SubjectForm({
  organization,
  subject,
}: {
  readonly organization: string;
  readonly subject: Subject;
}) {
  const { route } = useLocation();
  const [draft, setDraft] = useState(subject);
  const type = (name: keyof Subject) => (value: string) => setDraft({ ...draft, [name]: value || undefined });
  return (
    <Form class="filters few" onSubmit={() => route(pathTo(organization, 'limits', { ...draft }))}>
      <TextField label="For the user" value={draft.user ?? ''} onChange={type('user')} />
      <TextField
        label="or the API key"
        value={draft.key ?? ''}
        onChange={type('key')}
        placeholder="id, prefix or key"
      />
      <TextField
        label="and the address"
        value={draft.ip ?? ''}
        onChange={type('ip')}
        placeholder="203.0.113.7"
      />
      <button type="submit">Show</button>
    </Form>
  );
}
