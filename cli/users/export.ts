// `neuron users export`: everything that the tables hold of a person, for the right of access.
import { gunzipSync } from 'node:zlib';
import { collectEntries, listItems } from '../../core/admin/erase/collect.ts';
import { PERSONAL_PLACES, type PersonalItem } from '../../core/ports/personal-data.ts';
import type { StoredRecord } from '../../core/ports/seals.ts';
import { toIso } from '../../core/time/iso.ts';
import { ORGANIZATION } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { toExportedEntry } from '../logs/export/exported-entry.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { nameUser } from './log-keys.ts';
import { describeOtherPlaces, listOtherPlaces } from './other-places.ts';
import { type FoundPerson, findPerson, USERNAME } from './person.ts';

export const usersExport = command({
  name: 'export',
  description: 'Prints everything that is kept of a person, as lines of JSON.',
  arguments: { organization: ORGANIZATION, username: USERNAME },
  help: [
    'Each line has `place` (log, usage, cachedAnswers, keptAnswers, counters) and `record`; the last one counts them.',
    'The log of changes records the export, with a digest in place of the name.',
  ].join('\n'),
  async run({ organization, username }, { out, connect }) {
    const ports = await connect();
    const found = await findPerson(organization, username, ports);
    const user = await nameUser(username, found.organization, ports.secretReader);
    const { id: organizationId, slug } = found.organization;
    await ports.recordChange(
      {
        actions: ['export_user'],
        organization: slug,
        organizationId,
        before: undefined,
        after: { user },
      },
      () => printAll(found, ports, out),
    );
  },
});

async function printAll(found: FoundPerson, ports: Ports, out: Output): Promise<void> {
  const { person, organization } = found;
  const { personalData, clock, stack } = ports;
  const nowMs = clock.now();
  const counts: Record<string, number> = Object.fromEntries(
    ['log', ...PERSONAL_PLACES].map((one) => [one, 0]),
  );
  const print = (place: string, record: object) => {
    counts[place] = (counts[place] ?? 0) + 1;
    out.raw(`${JSON.stringify({ place, record })}\n`);
  };
  const onEntry = (record: StoredRecord) => {
    const [pk, sk] = [String(record['pk']), String(record['sk'])];
    print('log', toExportedEntry({ type: 'call', pk, sk, record }));
  };
  const { runs } = await collectEntries(person, personalData, { ...found, nowMs, onEntry });
  for await (const item of listItems(person, personalData, runs)) print(item.place, toReadable(item));
  const otherPlaces = listOtherPlaces(nowMs, stack.local !== undefined);
  const { slug } = organization;
  const whole = {
    organization: slug,
    username: person.username,
    exportedAt: toIso(nowMs),
    counts,
    otherPlaces,
  };
  out.raw(`${JSON.stringify({ place: 'summary', record: whole })}\n`);
  out.message(describeOtherPlaces(otherPlaces));
}

/** A kept answer is packed; a longer one is in several items, which stay as they are. */
function toReadable({ record }: PersonalItem): object {
  const { answer, parts, ...rest } = record;
  if (parts !== 0 || typeof answer !== 'object' || answer === null || !('$binary' in answer)) return record;
  return { ...rest, answer: unzip(String(answer['$binary'])) ?? answer };
}

/** More than any answer has. */
const MAX_ANSWER_BYTES = 64 * 1_048_576;

function unzip(base64: string): unknown {
  try {
    const text = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_ANSWER_BYTES });
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}
