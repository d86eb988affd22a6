// Everything that is kept of a person, by place, with the buttons that export and erase it.
import { formatNumber } from '../../data/format.ts';
import { Empty } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { ErasePerson } from './erase-person.tsx';
import { ExportPerson } from './export-person.tsx';
import { isKept, listPlaces, type PersonProps, type Place } from './places.ts';

export function Kept({ organization, user, report, onDone }: PersonProps) {
  if (!isKept(report))
    return (
      <Empty title={`Nothing is kept of this person in ${organization}.`}>
        <p>Names are compared exactly, as the log has them.</p>
      </Empty>
    );
  return (
    <>
      <Table<Place>
        label="Kept, by place"
        rows={listPlaces(report)}
        keyOf={({ place }) => place}
        columns={[
          { head: 'Place', cell: ({ place }) => place },
          { head: 'Items', align: 'right', cell: ({ count }) => formatNumber(count) },
          { head: 'Kept for', shown: 'medium', cell: ({ keptFor }) => keptFor },
        ]}
      />
      <div class="actions">
        <ExportPerson organization={organization} user={user} />
        <ErasePerson organization={organization} user={user} report={report} onDone={onDone} />
      </div>
    </>
  );
}
