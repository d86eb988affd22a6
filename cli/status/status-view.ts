// Renders the state of an organization or a neuron on one screen.

import type { ListedAlert, ListedLimit } from '../json/limits.ts';
import type { StatusReport } from '../json/status.ts';
import type { Paint } from '../output/paint.ts';
import { count, type Output } from '../output/print.ts';
import { printableLine } from '../output/printable.ts';
import { type Column, renderTable } from '../output/table.ts';

/** Rows of each part; `--json` has all. */
const MAX_ROWS = 8;

const NEURON_COLUMNS: readonly Column<StatusReport['neurons'][number]>[] = [
  { head: 'NEURON', cell: ({ neuron }) => neuron },
  { head: 'VERSION', cell: ({ deployed }) => deployed ?? 'none' },
  { head: 'ROLLOUT', cell: ({ rollout }) => rollout ?? undefined, drop: 1 },
  { head: 'STATE', cell: ({ closed }) => closed ?? 'open', flexible: true },
];

/** Text that fits `width`. */
export function renderStatus(report: StatusReport, out: Pick<Output, 'paint' | 'width'>): string {
  const { paint, width } = out;
  const { closed, today, neurons } = report;
  const shown = neurons.slice(0, MAX_ROWS);
  const table = renderTable(shown, NEURON_COLUMNS, { paint, available: width }).text;
  const rows = neurons.length === 0 ? 'There are no neurons yet.' : `${table}${renderMore(neurons)}`;
  const cost = `$${(today.costMicrodollars / 1e6).toFixed(6)}`;
  return [
    ...(closed === null ? [] : [paint('red', printableLine(closed))]),
    rows,
    part('today', [
      `${count(today.requests, 'request')}, ${today.failed} failed, ${today.refused} refused, ${cost}`,
    ]),
    part('last hour', renderFailures(report.failures)),
    part('guards', renderGuards(report.guards)),
    part('alerts', report.alerts.map(renderAlert)),
    part('limits', report.limits.map(renderLimit)),
    part('changes', report.changes.map(renderChange)),
  ].join('\n');

  /** `name   first line`, the others below it. */
  function part(name: string, lines: readonly string[]): string {
    return renderPart(name, lines, paint);
  }
}

function renderPart(name: string, lines: readonly string[], paint: Paint): string {
  const shown = lines.slice(0, MAX_ROWS).map((line) => printableLine(line));
  const some = shown.length === 0 ? ['none'] : shown;
  return some
    .map((line, index) => `${paint('bold', (index === 0 ? name : '').padEnd(11))}${line}`)
    .join('\n')
    .concat(renderMore(lines));
}

function renderMore({ length }: readonly unknown[]): string {
  return length <= MAX_ROWS ? '' : `\n${' '.repeat(11)}${length - MAX_ROWS} more: pass --json.`;
}

function renderFailures({ codes, complete }: StatusReport['failures']): readonly string[] {
  const some = codes.map(({ code, outcome, requests, neurons }) => {
    const where = neurons.length > 3 ? count(neurons.length, 'neuron') : neurons.join(', ');
    return `${complete ? '' : 'at least '}${requests} ${code === outcome ? code : `${code} (${outcome})`}: ${where}`;
  });
  return some.length === 0 ? ['no request failed or was refused'] : some;
}

function renderGuards({ found, complete }: StatusReport['guards']): readonly string[] {
  const least = complete ? '' : 'at least ';
  return found.map(({ guard, blocked, notJudged }) =>
    [
      ...(blocked === 0 ? [] : [`${guard} blocked ${least}${count(blocked, 'request')}`]),
      ...(notJudged === 0 ? [] : [`${guard} is down: ${least}${count(notJudged, 'request')} not judged`]),
    ].join(', '),
  );
}

function renderAlert({ at, share, metric, period, keyId }: ListedAlert): string {
  const owner = keyId === null ? '' : ` of key ${keyId}`;
  return `${shortTime(at)} ${share}% of ${metric} per ${period}${owner}`;
}

function renderLimit({
  organization,
  neuron,
  metric,
  scope,
  period,
  limit,
  remaining,
  resetsAt,
}: ListedLimit) {
  const owner = neuron === null ? organization : `${organization}/${neuron}`;
  const used = limit === 0 ? 100 : Math.floor(((limit - (remaining ?? 0)) / limit) * 100);
  const until = resetsAt === null ? '' : `, resets ${shortTime(resetsAt)}`;
  return `${owner} ${metric} ${scope}${period === null ? '' : ` per ${period}`}: ${used}% used${until}`;
}

function renderChange({ time, actions, neuron, by, id, outcome }: StatusReport['changes'][number]): string {
  const failed = outcome === 'made' ? '' : ` (${outcome})`;
  const of = neuron === null ? '' : ` of ${neuron}`;
  return `${shortTime(time)} ${actions.join(', ')}${of}${failed} by ${by}, ${id}`;
}

function shortTime(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
