// `neuron users erase`: erases what the tables hold of a person, so that `neuron logs verify` can say so.
import { InvalidArgumentError } from 'commander';
import { eraseUser, previewErasure } from '../../core/admin/erase/erase-user.ts';
import { type ErasedCounts, UsageBehind } from '../../core/admin/erase/steps.ts';
import { namesPerson } from '../../core/logs/erasure/erased-record.ts';
import { ORGANIZATION } from '../command/arguments.ts';
import { command, flag, option } from '../command/command.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import { createProgress } from '../output/progress.ts';
import type { Ports } from '../session/ports.ts';
import { findEnded, nameUser } from './log-keys.ts';
import { describeOtherPlaces, listOtherPlaces } from './other-places.ts';
import { type FoundPerson, findPerson, USERNAME } from './person.ts';

const MAX_REASON_LENGTH = 300;

export const usersErase = command({
  name: 'erase',
  description: 'Erases a person: log entries, usage, cached and kept answers, counters, feedback.',
  arguments: { organization: ORGANIZATION, username: USERNAME },
  options: {
    reason: option('--reason <text>', 'why, for the log of changes, without the name', parseReason),
    dryRun: flag('--dry-run', 'only count what would be erased, and where'),
  },
  help: [
    'Amounts of the entries stay, without the person, so that costs and usage of neurons remain true.',
    'It is safe to run the command again: one that was ended goes on where it was.',
  ].join('\n'),
  async run({ organization, username, reason, dryRun }, { out, connect }) {
    if (!dryRun && reason === undefined)
      throw usageFailure(
        'An erasure needs --reason.',
        'Pass --reason "request of 2026-11-21", or --dry-run.',
      );
    if (reason !== undefined && namesPerson(reason, username))
      throw usageFailure(
        '--reason holds the name that is to be erased.',
        'Refer to the request instead: the reason stays in the log of changes.',
      );
    const ports = await connect();
    const found = await findPerson(organization, username, ports);
    if (dryRun) return preview(found, ports, out);
    await out.confirm(
      `Erase everything that is kept of this person in ${organization}? It cannot be undone.`,
      {
        destroys: true,
      },
    );
    await erase(found, reason ?? '', ports, out);
  },
});

function parseReason(text: string): string {
  const hasControls = /\p{Cc}/u.test(text);
  if (text.trim() !== '' && text.length <= MAX_REASON_LENGTH && !hasControls && text.isWellFormed())
    return text;
  throw new InvalidArgumentError(`It must be a line of 1 to ${MAX_REASON_LENGTH} characters.`);
}

async function preview(found: FoundPerson, ports: Ports, out: Output) {
  const { organization } = found;
  const counts = await previewErasure({ ...found, onProgress: reportHours(ports, out) }, ports);
  const notReached = listOtherPlaces(ports.clock.now(), ports.stack.local !== undefined);
  out.value(
    { organization: organization.slug, dryRun: true, ...counts, notReached },
    [`Would erase in ${organization.slug}: ${describeCounts(counts)}.`, describeOtherPlaces(notReached)].join(
      '\n',
    ),
  );
}

async function erase(
  { person, organization, neuronIds, conditions }: FoundPerson,
  reason: string,
  ports: Ports,
  out: Output,
) {
  const name = await nameUser(person.username, organization, ports.secretReader);
  const unfinished = await findEnded(person, organization, ports);
  const request = {
    person,
    organization: organization.slug,
    name,
    reason,
    neuronIds,
    conditions,
    unfinished,
    onProgress: reportHours(ports, out),
  };
  const { changes, counts } = await eraseUser(request, ports).catch((error: unknown) => {
    throw error instanceof UsageBehind ? behind(error) : error;
  });
  const notReached = listOtherPlaces(ports.clock.now(), ports.stack.local !== undefined);
  const text =
    changes.length === 0
      ? `Nothing is kept of this person in ${organization.slug}.`
      : `Erased in ${organization.slug}: ${describeCounts(counts)}. Recorded as ${changes.join(', ')}.`;
  out.value(
    { organization: organization.slug, dryRun: false, changes, ...counts, notReached },
    [text, describeOtherPlaces(notReached)].join('\n'),
  );
}

function behind(cause: UsageBehind): CommandFailure {
  return new CommandFailure(
    {
      what: 'Nothing was erased: the usage of the newest entries has not been added up.',
      why: 'The rollup function is behind, and would bring the usage of this person back.',
      remedy: 'Run the command again in some minutes. If it goes on, see the alarm on the rollup function.',
    },
    { cause },
  );
}

function describeCounts(counts: ErasedCounts): string {
  const { entries, usage, cachedAnswers, keptAnswers, counters } = counts;
  return [
    `${entries} log entries`,
    `${usage} rows of usage`,
    `${cachedAnswers} cached answers`,
    `${keptAnswers} items of kept answers`,
    `${counters} counters of limits`,
  ].join(', ');
}

function reportHours({ clock }: Pick<Ports, 'clock'>, out: Output) {
  const report = createProgress(clock, out);
  return (read: number, all: number) => report(() => `${read} of ${all} hours read`);
}
