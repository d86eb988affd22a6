// Renders changes by operators as rows of a table and lines of JSON, and in full with the difference.

import { printYaml } from '../../../adapters/yaml/print-yaml.ts';
import type { RecordedChange } from '../../../core/contract/change-entry.ts';
import { toIso } from '../../../core/time/iso.ts';
import type { ChangeLine } from '../../json/log.ts';
import { differingLines, paintDifference } from '../../output/difference.ts';
import type { Paint } from '../../output/paint.ts';
import { printableLine } from '../../output/printable.ts';
import type { Column } from '../../output/table.ts';

export const CHANGE_COLUMNS: readonly Column<RecordedChange>[] = [
  { head: 'TIME (UTC)', cell: ({ timeMs }) => toIso(timeMs).slice(0, 19).replace('T', ' ') },
  { head: 'CHANGE', cell: ({ actions }) => actions.join(', ') },
  { head: 'SUBJECT', cell: renderSubject },
  { head: 'OUTCOME', cell: ({ outcome }) => outcome },
  { head: 'BY', cell: ({ by }) => by, flexible: true, drop: 1 },
  { head: 'ID', cell: ({ id }) => id },
];

/** Every line has the same members, null where there is no value. */
export function toChangeJson(change: RecordedChange): ChangeLine {
  const { organization = null, organizationId = null, neuron = null, neuronId = null, ...rest } = change;
  const time = toIso(change.timeMs);
  const { before = null, after = null } = change;
  return { ...rest, time, organization, organizationId, neuron, neuronId, before, after };
}

/** In full, with the difference in YAML. */
export function renderChange(change: RecordedChange, paint: Paint): string {
  const facts: readonly (readonly [string, string])[] = [
    ['change', change.id],
    ['time', toIso(change.timeMs)],
    ['by', change.by],
    ['actions', change.actions.join(', ')],
    ['subject', renderSubject(change)],
    ['outcome', renderOutcome(change)],
  ];
  const lines = change.cut ? ['(too large to be stored)'] : renderDifference(change);
  return [
    ...facts.map(([name, value]) => `${paint('bold', name.padEnd(15))}${printableLine(value)}`),
    ...lines.map((line) => paintDifference(line, paint)),
  ].join('\n');
}

function renderSubject({ organization, neuron, neuronId, before, after }: RecordedChange): string {
  if (organization === undefined || organization === null) return 'the service';
  const subject = (after ?? before) as { keyId?: string; name?: string; version?: string } | null;
  const part = subject?.keyId ?? subject?.version ?? (neuronId == null ? subject?.name : undefined);
  const owner = neuron == null ? organization : `${organization}/${neuron}`;
  return part === undefined ? owner : `${owner} ${part}`;
}

function renderOutcome({ outcome }: RecordedChange): string {
  if (outcome !== 'unknown') return outcome;
  return 'unknown: the command ended before it recorded the outcome, so the change may have been made or not';
}

function renderDifference({ before, after }: RecordedChange): readonly string[] {
  const yaml = (value: unknown) => (value === null || value === undefined ? '' : printYaml([value]));
  return differingLines(yaml(before), yaml(after), 3);
}
