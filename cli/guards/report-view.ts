// The tables of `neuron guards report`.
import type { ListedGuardReport } from '../json/guards.ts';
import type { Column } from '../output/table.ts';

type GuardRow = ListedGuardReport['guards'][number];

export const GUARD_COLUMNS: readonly Column<GuardRow>[] = [
  { head: 'NEURON', cell: ({ neuron }) => neuron, flexible: true },
  { head: 'GUARD', cell: ({ guard }) => guard },
  { head: 'TYPE', cell: ({ type }) => type, drop: 1 },
  { head: 'STAGE', cell: ({ stage }) => stage },
  { head: 'ACTION', cell: ({ action }) => action },
  { head: 'REQUESTS', cell: ({ requests }) => requests, align: 'right' },
  {
    head: 'BLOCKED',
    cell: ({ action, blocked }) => (action === 'block' ? blocked : undefined),
    align: 'right',
  },
  {
    head: 'WOULD BLOCK',
    cell: ({ action, wouldBlock }) => (action === 'flag' ? wouldBlock : undefined),
    align: 'right',
  },
  {
    head: 'FINDS',
    cell: ({ finds }) => finds.map(({ type, count }) => `${type} ${count}`).join(', '),
    flexible: true,
    drop: 2,
  },
];

export const DAY_COLUMNS: readonly Column<ListedGuardReport['days'][number]>[] = [
  { head: 'DAY (UTC)', cell: ({ day }) => day },
  { head: 'REQUESTS', cell: ({ requests }) => requests, align: 'right' },
  { head: 'BLOCKED', cell: ({ blocked }) => blocked, align: 'right' },
  { head: 'FLAGGED', cell: ({ flagged }) => flagged, align: 'right' },
];
