// `neuron logs`: the log of calls and changes, as a list, as a live stream, or one entry in full.
import type { Command } from 'commander';
import { isChangeId } from '../../core/contract/change-entry.ts';
import { usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import { quote } from '../session/options.ts';
import type { Ports } from '../session/ports.ts';
import type { Bind } from '../session/session.ts';
import { checkTarget, renderTarget, type Target, toTarget } from '../session/target.ts';
import { findLogged } from './find-logged.ts';
import { printFollowed } from './follow-entries.ts';
import { listChanges, showChange } from './list-changes.ts';
import { listEntries, showEntry } from './list-entries.ts';
import { addLogOptions, checkCombination, type LogOptions, toPeriod } from './log-options.ts';

interface Given {
  readonly args: { readonly target: Target; readonly options: LogOptions };
  readonly ports: Pick<Ports, 'store' | 'logReader' | 'changes' | 'clock' | 'stack'>;
  readonly out: Output;
}

export function registerLogs(program: Command, bind: Bind): Command {
  const command = program
    .command('logs')
    .description('Shows the log entries of calls, newest first, with times in UTC.')
    .argument('<organization[/neuron]>', 'whose log to show', checkTarget);
  return addLogOptions(command).action(
    bind<LogOptions>(async (session, { args: [text], options }) => {
      checkCombination(options);
      const args = { target: toTarget(text), options };
      await logs({ args, ports: await session.connect(), out: session.out });
    }),
  );
}

/** Shows one entry, follows, or lists. */
async function logs({ args: { target, options }, ports, out }: Given): Promise<void> {
  if (options.csv && out.json) throw usageFailure('--csv and --json were both given.', 'Pass one of them.');
  if (options.id !== undefined && isChangeId(options.id)) return showChange(target, options.id, ports, out);
  if (options.changes) return listChanges({ target, ...toPeriod(options, ports.clock.now()) }, ports, out);
  const subject = renderTarget(target);
  const { deleted } = options;
  if (options.id !== undefined) {
    const owner = await findLogged(target, { deleted }, ports, out);
    return showEntry({ ...owner, executionId: options.id, subject }, ports, out);
  }
  const { user: username, outcome, status, key: keyId, ip: sourceIp } = options;
  const period = toPeriod(options, ports.clock.now());
  const owner = await findLogged(target, { deleted, fromMs: period.fromMs }, ports, out);
  const filter = { ...owner, username, outcome, status, keyId, sourceIp };
  if (options.follow) return printFollowed(filter, period.fromMs, ports, out);
  return listEntries(
    {
      query: { ...filter, ...period },
      subject,
      command: renderFilters(subject, options),
      csv: options.csv ?? false,
    },
    ports,
    out,
  );
}

/** `logs acme/hello --user ann`: what a hint repeats, so that it asks for the same entries. */
function renderFilters(subject: string, options: LogOptions): string {
  const names = ['user', 'outcome', 'status', 'key', 'ip', 'deleted'] as const;
  const words = names.flatMap((name) =>
    options[name] === undefined ? [] : [`--${name} ${quote(String(options[name]))}`],
  );
  return ['logs', subject, ...words].join(' ');
}
