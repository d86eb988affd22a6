// The filters of the log explorer. They are part of the address, so that it can be sent to a colleague.
import { useState } from 'preact/hooks';
import { useNeurons } from '../../data/use-neurons.ts';
import { OUTCOMES } from '../../data/values.ts';
import { Form, NeuronField, SelectField, TextField } from '../../parts/field.tsx';

/** Filters of `neuron logs`, by their names in the address. */
export const FILTERS = ['neuron', 'since', 'from', 'to', 'user', 'outcome', 'status', 'key', 'ip'] as const;
export type LogFilter = { readonly [Name in (typeof FILTERS)[number]]?: string | undefined };

const TIMES = [
  ['1h', 'Last hour'],
  ['6h', 'Last 6 hours'],
  ['1d', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['', 'From … to …'],
] as const;

export function LogFilters({
  organization,
  filter,
  onChange,
}: {
  readonly organization: string;
  readonly filter: LogFilter;
  readonly onChange: (filter: LogFilter) => void;
}) {
  const [draft, setDraft] = useState<LogFilter>(filter);
  const slugs = useNeurons(organization);
  const choose = (change: LogFilter) => onChange({ ...draft, ...change });
  const type = (name: keyof LogFilter) => (value: string) =>
    setDraft({ ...draft, [name]: value || undefined });
  return (
    <Form class="filters" onSubmit={() => onChange(draft)}>
      <TimeFields draft={draft} onType={setDraft} onChoose={choose} />
      <NeuronField value={draft.neuron ?? ''} onChange={(neuron) => choose({ neuron })} neurons={slugs} all />
      <SelectField
        label="Outcome"
        value={draft.outcome ?? ''}
        onChange={(outcome) => choose({ outcome })}
        options={[['', 'All'], ...OUTCOMES.map((outcome) => [outcome, outcome] as const)]}
      />
      <TextField label="Status" value={draft.status ?? ''} onChange={type('status')} placeholder="429" />
      <TextField label="User" value={draft.user ?? ''} onChange={type('user')} />
      <TextField
        label="API key"
        value={draft.key ?? ''}
        onChange={type('key')}
        placeholder="id, prefix or key"
      />
      <TextField label="Address" value={draft.ip ?? ''} onChange={type('ip')} placeholder="203.0.113.7" />
      <button type="submit">Apply</button>
    </Form>
  );
}

/** Select a length of time before now, or a range. */
function TimeFields({
  draft,
  onType,
  onChoose,
}: {
  readonly draft: LogFilter;
  readonly onType: (filter: LogFilter) => void;
  readonly onChoose: (change: LogFilter) => void;
}) {
  const isRange = draft.from !== undefined || draft.to !== undefined;
  const choose = (since: string) => {
    if (since === '') onType({ ...draft, since: undefined, from: 'today' });
    else onChoose({ since, from: undefined, to: undefined });
  };
  const type = (name: 'from' | 'to') => (value: string) => onType({ ...draft, [name]: value });
  return (
    <>
      <SelectField
        label="Time"
        value={isRange ? '' : (draft.since ?? '1d')}
        onChange={choose}
        options={TIMES}
      />
      {isRange && (
        <>
          <TextField
            label="From (UTC)"
            value={draft.from ?? ''}
            onChange={type('from')}
            placeholder="yesterday"
          />
          <TextField label="To (UTC)" value={draft.to ?? ''} onChange={type('to')} placeholder="now" />
        </>
      )}
    </>
  );
}
