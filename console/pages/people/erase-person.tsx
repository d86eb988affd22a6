// Erases a person after a preview, a reason and the name typed once more.
import { useState } from 'preact/hooks';
import { formatNumber } from '../../data/format.ts';
import type { PersonValue } from '../../data/values.ts';
import { ChangeButton } from '../../parts/change.tsx';
import { TextField } from '../../parts/field.tsx';
import { listPlaces, type PersonProps } from './places.ts';

export function ErasePerson({ organization, user, report, onDone }: PersonProps) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  return (
    <ChangeButton<PersonValue>
      label="Erase"
      danger
      title="Erase this person"
      operation="erasePerson"
      parameters={{ organization, user, reason }}
      isReady={reason.trim() !== '' && typed === user}
      onDone={onDone}
      show={(erased) => <Erased report={erased} />}
    >
      <p>It cannot be undone. Amounts stay, without the person. Would be erased in {organization}:</p>
      <Counts report={report} />
      <p>{report.notReached.length} places are not reached; the page lists them.</p>
      <TextField
        label="Reason"
        value={reason}
        onChange={setReason}
        hint="For the log of changes, without the name: such as the number of the request"
        required
      />
      <TextField label="Type the username to confirm" value={typed} onChange={setTyped} required />
    </ChangeButton>
  );
}

function Counts({ report }: { readonly report: PersonValue }) {
  return (
    <ul>
      {listPlaces(report).map(({ place, count }) => (
        <li key={place}>
          {place}: {formatNumber(count)}
        </li>
      ))}
    </ul>
  );
}

function Erased({ report }: { readonly report: PersonValue }) {
  return (
    <>
      <p>Erased:</p>
      <Counts report={report} />
      <p>
        Recorded as <code>{report.changes?.join(', ')}</code>. The page lists what is not reached.
      </p>
    </>
  );
}
