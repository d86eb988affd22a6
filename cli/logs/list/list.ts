// `neuron logs list`: calls or changes as a list or as they come, or one of them in full.
import { isChangeId } from '../../../core/contract/change-entry.ts';
import { parseTarget } from '../../command/arguments.ts';
import { argument, command } from '../../command/command.ts';
import { usageFailure } from '../../output/failure.ts';
import type { Session } from '../../session/session.ts';
import { renderTarget, type Target } from '../../session/target.ts';
import { findLogOwner } from '../find-log-owner.ts';
import { LOG_OPTIONS, type LogOptions, toPeriod } from '../log-options.ts';
import { listCalls } from './list-calls.ts';
import { listChanges, showChange } from './list-changes.ts';
import { showEntry } from './list-entries.ts';

export const OWNERS = argument('<organization[/neuron]...>', 'whose log to show', parseTarget);

export const logsList = command({
  name: 'list',
  description:
    'The same in full words: also shows the log of an organization that is named like a verb, such as `verify`.',
  arguments: { targets: OWNERS },
  inherited: LOG_OPTIONS,
  run: showLog,
});

interface LogInput extends LogOptions {
  readonly targets: readonly [Target, ...Target[]];
}

/** Also what `neuron logs` does without a verb. */
export async function showLog({ targets, ...options }: LogInput, { out, connect }: Session): Promise<void> {
  const { id, changes, deleted } = options;
  if (options.csv && out.json) throw usageFailure('--csv and --json were both given.', 'Pass one of them.');
  if (targets.length > 1 && (changes || id !== undefined || deleted !== undefined))
    throw usageFailure('--changes, --id and --deleted take one organization or neuron.', 'Name one of them.');
  const [target] = targets;
  const ports = await connect();
  if (id !== undefined && isChangeId(id)) return showChange(target, id, ports, out);
  if (changes) return listChanges({ target, ...toPeriod(options, ports.clock.now()) }, ports, out);
  if (id === undefined) return listCalls(targets, options, ports, out);
  const owner = await findLogOwner(target, { deleted }, ports, out);
  return showEntry({ ...owner, executionId: id, subject: renderTarget(target) }, ports, out);
}
