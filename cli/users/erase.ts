// `neuron users erase`: erases what the tables hold of a person, so that `neuron logs verify` can say so.
import { InvalidArgumentError } from 'commander';
import { eraseUser, type NameToErase, previewErasure } from '../../core/admin/erase/erase-user.ts';
import { UsageBehind } from '../../core/admin/erase/steps.ts';
import { ORGANIZATION } from '../command/arguments.ts';
import { command, flag, option } from '../command/command.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
import { createProgress } from '../output/progress.ts';
import type { Ports } from '../session/ports.ts';
import { findBlocks, removeEnded } from './blocks.ts';
import { describeCounts, reportErasure } from './erase-view.ts';
import { findErasures } from './log-keys.ts';
import { type FoundPerson, findPerson, rejectName, USERNAME } from './person.ts';

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
    const ports = await connect();
    const found = await findPerson(organization, username, ports, out);
    rejectName(reason, found);
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
  const counts = await previewErasure({ ...found, onProgress: reportHours(ports, out) }, ports);
  const { ended, running } = await findBlocks(found, ports);
  const slug = found.organization.slug;
  const texts = [
    `Would erase in ${slug}: ${describeCounts(counts)}.`,
    ...(ended.length === 0 ? [] : [`Would remove ${count(ended.length, 'block')} that ended.`]),
  ];
  const blocks = { removed: ended.length, kept: running };
  reportErasure({ found, counts, blocks, texts, value: { dryRun: true } }, ports, out);
}

async function erase(found: FoundPerson, reason: string, ports: Ports, out: Output) {
  const { persons, organization, neuronIds, conditions } = found;
  const names: NameToErase[] = [];
  for (const person of persons) names.push(await findErasures(person, organization, ports));
  const onProgress = reportHours(ports, out);
  const request = { names, organization: organization.slug, reason, neuronIds, conditions, onProgress };
  const { changes, counts } = await eraseUser(request, ports).catch((error: unknown) => {
    throw error instanceof UsageBehind ? behind(error) : error;
  });
  const { ended, running } = await findBlocks(found, ports);
  await removeEnded(ended, ports);
  const isNothing = changes.length === 0 && ended.length + running.length === 0;
  const texts = [
    ...(isNothing
      ? [`Nothing is kept of this person in ${organization.slug}. Names are compared exactly.`]
      : []),
    ...(changes.length === 0
      ? []
      : [`Erased in ${organization.slug}: ${describeCounts(counts)}. Recorded as ${changes.join(', ')}.`]),
    ...(ended.length === 0 ? [] : [`Removed ${count(ended.length, 'block')} that ended.`]),
  ];
  const blocks = { removed: ended.length, kept: running };
  reportErasure({ found, counts, blocks, texts, value: { dryRun: false, changes } }, ports, out);
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

function reportHours({ clock }: Pick<Ports, 'clock'>, out: Output) {
  const report = createProgress(clock, out);
  return (read: number, all: number) => report(() => `${read} of ${all} hours read`);
}
