// `neuron guards report`: what guards found in a period, by neuron and guard and day by day, from the log.
import { reportGuards } from '../../core/admin/guards/report.ts';
import { toIso } from '../../core/time/iso.ts';
import { parseTarget } from '../command/arguments.ts';
import { argument, command, option } from '../command/command.ts';
import type { ListedGuardReport } from '../json/guards.ts';
import { findLogOwner } from '../logs/find-log-owner.ts';
import { parseSince, toPeriod } from '../logs/log-options.ts';
import { parseMoment } from '../logs/moment.ts';
import { renderTarget } from '../session/target.ts';
import { DAY_COLUMNS, GUARD_COLUMNS } from './report-view.ts';

const DEFAULT_MS = 7 * 86_400_000;

/** Entries are read for their finds; about a unit of read capacity each. */
const MAX_READ = 200_000;

export const guardsReport = command({
  name: 'report',
  description: 'Shows what guards found, and what those that only flag would have blocked.',
  arguments: { target: argument('<organization[/neuron]>', 'whose requests', parseTarget) },
  options: {
    since: option('--since <time>', 'how far back, such as 1d, or a start time (default: 7d)', parseSince),
    from: option('--from <time>', 'start time: yesterday, monday, 14:30, 2026-11-21, …', parseMoment),
    to: option('--to <time>', 'end time; a day or month is included', parseMoment),
    guard: option('--guard <name>', 'this guard alone'),
    deleted: option('--deleted <id>', 'of the deleted owner with this id, whose slug is used again'),
  },
  conflicts: [{ option: 'since', with: ['from'] }],
  help: `Reads the log of the period, the newest entries first, and about ${MAX_READ} of them at most. A request counts once for each guard, stage and action, with all its finds.`,
  async run({ target, since, from, to, guard, deleted }, { connect, out }) {
    const ports = await connect();
    const range = from === undefined ? { since: since ?? DEFAULT_MS, to } : { from, to };
    const period = toPeriod(range, ports.clock.now());
    const owner = await findLogOwner(target, { deleted, fromMs: period.fromMs }, ports, out);
    const report = await reportGuards(
      ports.guardedEntries,
      { ...owner, ...period },
      { guard, maxRead: MAX_READ },
    );
    const { fromMs, guards, days, complete, read, requests } = report;
    const listed: ListedGuardReport = {
      organization: target.organization,
      neuron: target.neuron ?? null,
      from: toIso(fromMs),
      to: toIso(period.toMs),
      complete,
      read,
      requests,
      guards,
      days,
    };
    if (out.json) out.value(listed, '');
    else {
      const none = `No ${guard === undefined ? 'guard' : `guard ${guard}`} of ${renderTarget(target)} found anything between ${listed.from} and ${listed.to}. Entries read: ${read}.`;
      out.list(guards, GUARD_COLUMNS, none);
      if (days.length > 1) {
        out.value(undefined, '');
        out.list(days, DAY_COLUMNS, '');
      }
    }
    if (!complete)
      out.warn(
        `Only entries since ${listed.from} were read: ${read} are enough. Name a neuron, or a period with --from and --to.`,
      );
  },
});
