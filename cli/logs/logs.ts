// `neuron logs`: the log of calls and changes, as a list, as a live stream, or one entry in full.
import type { Command } from 'commander';
import { isChangeId } from '../../core/contract/change-entry.ts';
import { usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import type { Bind, Session } from '../session/session.ts';
import { checkTarget, renderTarget, type Target, toTarget } from '../session/target.ts';
import { findLogged } from './find-logged.ts';
import { printFollowed } from './list/follow-entries.ts';
import { listChanges, showChange } from './list/list-changes.ts';
import { listEntries, showEntry } from './list/list-entries.ts';
import { createKeyNames, type LogOwner, readOwners } from './list/read-owners.ts';
import { addLogOptions, checkCombination, type LogOptions, renderFilters, toPeriod } from './log-options.ts';

interface Options {
  readonly args: { readonly targets: readonly [Target, ...Target[]]; readonly options: LogOptions };
  readonly ports: Pick<Ports, 'store' | 'logReader' | 'keys' | 'changes' | 'clock' | 'stack'>;
  readonly out: Output;
}

export function registerLogs(program: Command, bind: Bind): Command {
  const command = program
    .command('logs')
    .description('Shows the log entries of calls, newest first, with times in UTC.')
    .argument(...OWNERS);
  addLogOptions(command).action(
    bind<LogOptions>((session, { args, options }) => run(session, args, options)),
  );
  command
    .command('list')
    .description(
      'The same in full words: also shows the log of an organization that is named like a verb, such as `verify`.',
    )
    .argument(...OWNERS)
    // Options of the parent command are parsed there.
    .action(bind((session, { args }) => run(session, args, command.opts<LogOptions>())));
  return command;
}

const OWNERS = ['<organization[/neuron]...>', 'whose log to show', checkTargets] as const;

async function run(session: Session, args: readonly string[], options: LogOptions): Promise<undefined> {
  checkCombination(options);
  const [first, ...others] = args.map(toTarget);
  if (first === undefined) throw new Error('commander requires an argument');
  const targets = [first, ...others] as const;
  await logs({ args: { targets, options }, ports: await session.connect(), out: session.out });
  return undefined;
}

/** Collects the values of the argument; for commander. */
function checkTargets(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), checkTarget(text)];
}

/** Shows one entry, follows, or lists. */
async function logs({ args: { targets, options }, ports, out }: Options): Promise<void> {
  if (options.csv && out.json) throw usageFailure('--csv and --json were both given.', 'Pass one of them.');
  const [target] = targets;
  if (targets.length > 1 && (options.changes || options.id !== undefined || options.deleted !== undefined))
    throw usageFailure('--changes, --id and --deleted take one organization or neuron.', 'Name one of them.');
  if (options.id !== undefined && isChangeId(options.id)) return showChange(target, options.id, ports, out);
  if (options.changes) return listChanges({ target, ...toPeriod(options, ports.clock.now()) }, ports, out);
  const subject = targets.map(renderTarget).join(' ');
  const { deleted } = options;
  if (options.id !== undefined) {
    const owner = await findLogged(target, { deleted }, ports, out);
    return showEntry({ ...owner, executionId: options.id, subject }, ports, out);
  }
  const { user: username, outcome, status, key: keyId, ip: sourceIp } = options;
  const period = toPeriod(options, ports.clock.now());
  const owners: LogOwner[] = [];
  for (const one of new Map(targets.map((each) => [renderTarget(each), each])).values()) {
    const { organizationId, neuronId } = await findLogged(
      one,
      { deleted, fromMs: period.fromMs },
      ports,
      out,
    );
    owners.push({ organizationId, neuronId });
  }
  const isMixed = new Set(owners.map(({ organizationId }) => organizationId)).size > 1;
  const { clock, stack } = ports;
  const logReader = readOwners(withoutCovered(owners), {
    logReader: ports.logReader,
    nameKey: createKeyNames(ports.keys, out),
  });
  const filter = { username, outcome, status, keyId, sourceIp };
  if (options.follow) return printFollowed(filter, period.fromMs, { logReader, clock, stack, isMixed }, out);
  const command = renderFilters(subject, options);
  const listing = { query: { ...filter, ...period }, subject, command, csv: options.csv ?? false, isMixed };
  return listEntries(listing, { logReader, clock }, out);
}

/** A neuron of an organization that is asked for as a whole would be listed twice. */
function withoutCovered(owners: readonly LogOwner[]): LogOwner[] {
  const whole = owners.filter(({ neuronId }) => neuronId === undefined);
  return owners.filter(
    (owner) =>
      owner.neuronId === undefined ||
      !whole.some(({ organizationId }) => organizationId === owner.organizationId),
  );
}
