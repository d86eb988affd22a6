// `neuron users export`: everything that the tables hold of a person, for the right of access.
import { collectEntries, listItems, type TagRequests } from '../../core/admin/erase/collect.ts';
import { PERSONAL_PLACES } from '../../core/ports/personal-data.ts';
import { toIso } from '../../core/time/iso.ts';
import { ORGANIZATION } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { findBlocks } from './blocks.ts';
import { nameUser } from './log-keys.ts';
import { describeOtherPlaces, listOtherPlaces } from './other-places.ts';
import { type FoundPerson, findPerson, USERNAME } from './person.ts';
import { toReadable, toReadableBlock, toReadableEntry } from './readable-item.ts';

export const usersExport = command({
  name: 'export',
  description: 'Prints everything that is kept of a person, as lines of JSON.',
  arguments: { organization: ORGANIZATION, username: USERNAME },
  help: [
    'Each line has `place` (log, usage, cachedAnswers, keptAnswers, counters, blocks) and `record`; the last one counts them.',
    'The log of changes records the export, with a digest in place of the name.',
  ].join('\n'),
  async run({ organization, username }, { out, connect }) {
    const ports = await connect();
    const found = await findPerson(organization, username, ports, out);
    const { id: organizationId, slug } = found.organization;
    const [user, pseudonym] = await Promise.all(
      found.persons.map((person) => nameUser(person.username, found.organization, ports.secretReader)),
    );
    const after = pseudonym === undefined ? { user } : { user, pseudonym };
    await ports.recordChange(
      { actions: ['export_user'], organization: slug, organizationId, before: undefined, after },
      () => printAll(found, ports, out),
    );
  },
});

async function printAll(found: FoundPerson, ports: Ports, out: Output): Promise<void> {
  const { persons, organization } = found;
  const { personalData, clock, stack } = ports;
  const nowMs = clock.now();
  const places = ['log', ...PERSONAL_PLACES, 'blocks'];
  const counts: Record<string, number> = Object.fromEntries(places.map((one) => [one, 0]));
  const print = (place: string, record: object) => {
    counts[place] = (counts[place] ?? 0) + 1;
    out.raw(`${JSON.stringify({ place, record })}\n`);
  };
  const tagRequests: TagRequests = new Map();
  for (const person of persons) {
    const { runs } = await collectEntries(person, personalData, {
      ...found,
      nowMs,
      tagRequests,
      onEntry: (record) => print('log', toReadableEntry(record)),
    });
    for await (const item of listItems(person, personalData, runs, tagRequests))
      print(item.place, toReadable(item));
  }
  const { ended, running } = await findBlocks(found, ports);
  for (const one of [...running, ...ended]) print('blocks', toReadableBlock(one));
  const otherPlaces = listOtherPlaces(nowMs, stack.local !== undefined);
  const whole = {
    organization: organization.slug,
    usernames: persons.map(({ username }) => username),
    exportedAt: toIso(nowMs),
    counts,
    otherPlaces,
  };
  out.raw(`${JSON.stringify({ place: 'summary', record: whole })}\n`);
  out.message(describeOtherPlaces(otherPlaces));
}
