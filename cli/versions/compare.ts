// `neuron versions compare`: shows two versions beside each other by what their runs were.
import type { UsageRow } from '../../core/ports/usage.ts';
import { NEURON, parseVersionId, VERSION } from '../command/arguments.ts';
import { argument, command, flag, option } from '../command/command.ts';
import type { ComparedFigure, FigureOfVersion } from '../json/usage.ts';
import type { Column } from '../output/table.ts';
import { renderTable } from '../output/table.ts';
import { requireVersion } from '../session/require-stored.ts';
import { renderTarget } from '../session/target.ts';
import { compareVersions } from '../usage/compare-versions.ts';
import { parsePeriod, toDays } from '../usage/usage-period.ts';

export const versionsCompare = command({
  name: 'compare',
  description: 'Compares two versions by failures, latency, cost and feedback of their runs.',
  arguments: {
    neuron: NEURON,
    id: VERSION,
    other: argument('<other>', 'the version to compare it with', parseVersionId),
  },
  options: {
    period: option(
      '--period <period>',
      'month or day (the current one), a month such as 2026-11, or a day such as 2026-11-21',
      parsePeriod,
      { default: 'month' },
    ),
    isShadow: flag('--shadow', 'take of <other> the runs that repeat others'),
  },
  help: 'Each figure has its 95 % interval. Answers of the cache are no runs: they are counted apart.',
  async run({ neuron: target, id, other, period, isShadow }, { out, connect }) {
    const { store, usage, clock } = await connect();
    const { neuron: record } = await requireVersion(store, target, id);
    await requireVersion(store, target, other);
    const days = toDays(period, clock.now());
    const rows: UsageRow[] = [];
    const query = { organizationId: record.organizationId, neuronId: record.id, ...days };
    for await (const row of usage.list(query)) rows.push(row);
    const compared = {
      neuron: renderTarget(target),
      ...days,
      ...compareVersions(rows, [id, other], isShadow),
    };
    const heads = compared.versions.map(
      ({ version, runs, success, stopped, failed, hits }) =>
        `${version}: ${runs} runs (${success} success, ${stopped} stopped, ${failed} failed), and ${hits} answers of the cache.`,
    );
    const { text } = renderTable(compared.figures, columnsOf(id, other), {
      paint: out.paint,
      available: out.width,
    });
    out.value(
      compared,
      [`${compared.neuron}, ${days.fromDay} to ${days.toDay}, UTC`, ...heads, text].join('\n'),
    );
  },
});

function columnsOf(a: string, b: string): readonly Column<ComparedFigure>[] {
  const render = (figure: FigureOfVersion | null, unit: ComparedFigure['unit']) =>
    figure === null ? undefined : renderFigure(figure, unit);
  return [
    { head: 'FIGURE', cell: ({ figure }) => figure, flexible: true },
    { head: a, cell: (one) => render(one.a, one.unit), align: 'right' },
    { head: b === a ? `${b} again` : b, cell: (one) => render(one.b, one.unit), align: 'right' },
    { head: 'DIFFERENCE', cell: ({ differs }) => renderVerdict(differs) },
  ];
}

function renderVerdict(differs: boolean | null): string {
  if (differs === null) return 'unknown';
  return differs ? 'yes' : 'not distinguishable';
}

/** `2.1% (1.0% to 4.4%)` */
function renderFigure({ value, low, high }: FigureOfVersion, unit: ComparedFigure['unit']): string {
  const render = RENDER[unit];
  const bounds = low === null ? 'unknown' : `${render(low)} to ${high === null ? 'more' : render(high)}`;
  return `${render(value)} (${bounds})`;
}

const RENDER: Readonly<Record<ComparedFigure['unit'], (value: number) => string>> = {
  share: (value) => `${(value * 100).toFixed(1)}%`,
  ms: (value) => `${Math.round(value)} ms`,
  dollars: (value) => `$${value.toFixed(6)}`,
  mean: (value) => value.toFixed(3),
};
