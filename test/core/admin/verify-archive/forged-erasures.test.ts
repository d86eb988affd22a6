// Erasures that somebody forged, as they reach the archive: each is found, whichever day has its change.
import { describe, expect, it } from 'vitest';
import type { ArchiveProblem } from '../../../../core/admin/verify-archive/archive-problems.ts';
import { verifyArchive } from '../../../../core/admin/verify-archive/verify-archive.ts';
import { packTags, tagEntry, tagRest } from '../../../../core/logs/erasure/erased-tags.ts';
import { digestRecord } from '../../../../core/logs/seals/entry-digest.ts';
import { makeSeal } from '../../../../core/logs/seals/seal.ts';
import { toEntryToSeal } from '../../../../core/logs/seals/sealed-entry.ts';
import type { StoredRecord } from '../../../../core/ports/seals.ts';
import { createArchiveWorld, DAYS, HOUR_MS, NOW_MS } from './archive-world.ts';

const ADA = 'digest-of-ada';
/** The lawful erasure, and the seal after it. */
const ERASED_MS = Date.parse('2026-11-22T02:00:00Z');
const SEALED_MS = Date.parse('2026-11-22T23:59:00Z');

interface Change {
  readonly id: string;
  readonly atMs?: number;
  readonly user?: string;
  /** Numbers of entries of the second day, which it names. */
  readonly entries?: readonly number[];
  readonly invented?: number;
}

interface Deeds {
  readonly changes?: readonly Change[];
  /** Entries of the second day of which only the rest is there, under the id of a change. */
  readonly erased?: readonly (readonly [number, string])[];
  readonly rest?: StoredRecord;
  /** Days that are archived before any of it. */
  readonly archived?: number;
  /** What is done to a change after it was sealed. */
  readonly edit?: StoredRecord;
}

/** The second day's entries of an organization are erased, and changes of the third day say so. */
async function forge({ changes = [], erased = [], rest = {}, archived = 0, edit = {} }: Deeds) {
  const world = await createArchiveWorld();
  for (const day of DAYS.slice(0, archived)) await world.archive(day);
  const day = [...world.table].filter(([name]) => name.includes('org-a#2026-11-21'));
  const wholeAt = (index: number): StoredRecord => day[index]?.[1] ?? {};
  const restAt = (index: number): StoredRecord => {
    const { salt: _salt, ...left } = wholeAt(index);
    return left;
  };
  const links = world.seals.get('org-a') ?? [];
  for (const { id, atMs = ERASED_MS, user = ADA, entries = [], invented = 0 } of changes) {
    const tags = entries.map((index) => {
      const [whole, left] = [wholeAt(index), restAt(index)];
      const key = { pk: String(whole['pk']), sk: String(whole['sk']) };
      return { entry: tagEntry({ ...key, digest: digestRecord(whole).digest }), rest: tagRest(left) };
    });
    for (let at = 0; at < invented; at += 1)
      tags.push({ entry: tagEntry({ pk: 'x', sk: 'y', digest: String(at) }), rest: tagRest({}) });
    const time = new Date(atMs).toISOString();
    const record = {
      ...{ pk: 'CHANGES#org-a', sk: `${time}#${id}`, id, actions: ['erase_user'], by: 'local' },
      ...{ organization: 'acme', organizationId: 'org-a', salt: { $binary: 'c2FsdA==' } },
      after: JSON.stringify({ user: { digest: user, key: 'key-1' }, entries: tags.length, reason: 'why' }),
      erased: { $binary: Buffer.from(packTags(tags)).toString('base64') },
      expiresAt: Math.floor(atMs / 1000) + 365 * 86_400,
    };
    world.table.set(JSON.stringify([record.pk, record.sk]), { ...record, ...edit });
    const { line } = toEntryToSeal(record, Math.floor(atMs / 1000));
    links.push(makeSeal('org-a', links.at(-1), [line], SEALED_MS));
  }
  for (const [index, erasedBy] of erased)
    world.table.set(day[index]?.[0] ?? '', { ...restAt(index), ...rest, erasedBy });
  for (const day of DAYS.slice(archived)) await world.archive(day);
  return verify(world.source);
}

async function verify(source: Parameters<typeof verifyArchive>[1]) {
  const run = verifyArchive({ nowMs: NOW_MS }, source);
  const problems: ArchiveProblem[] = [];
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { summary: value, found: problems.map(describeProblem).toSorted() };
    problems.push(value);
  }
}

function describeProblem(problem: ArchiveProblem): string {
  if (problem.kind !== 'sealed') return problem.kind;
  const { found } = problem;
  return found.kind === 'erasure' ? `${found.id}: ${found.problem} ${found.entries}` : found.kind;
}

const LAWFUL: Change = { id: 'lawful', entries: [0, 1] };
const BOTH = [
  [0, 'lawful'],
  [1, 'lawful'],
] as const;

describe('an archive of erased entries', () => {
  it('is intact under the change that names them', async () => {
    const { found, summary } = await forge({ changes: [LAWFUL], erased: BOTH });
    expect(found).toEqual(['lawful: null 2']);
    expect(summary).toMatchObject({ intact: true, erased: 2 });
  });

  it('is intact where two runs for one name began at once and named the same', async () => {
    const second = { ...LAWFUL, id: 'second', atMs: ERASED_MS + HOUR_MS };
    const { found, summary } = await forge({ changes: [LAWFUL, second], erased: BOTH });
    expect(found).toEqual(['lawful: null 2', 'second: null 0']);
    expect(summary.intact).toBe(true);
  });

  it.each<[string, Deeds, readonly string[]]>([
    ['a deletion without a change', { erased: BOTH }, ['erased', 'erased']],
    [
      'a change without the deletion that it names, archived long after it',
      { changes: [{ ...LAWFUL, atMs: ERASED_MS - 6 * HOUR_MS }] },
      ['lawful: not erased 2'],
    ],
    [
      'a change of entries that never were',
      { changes: [{ id: 'c', invented: 3 }] },
      ['c: unknown entries 3'],
    ],
    [
      'other ids: an entry that the change does not name',
      { changes: [LAWFUL], erased: [...BOTH, [2, 'lawful']] },
      ['erased', 'lawful: null 2'],
    ],
    [
      'another change than the one that names it',
      {
        changes: [LAWFUL, { id: 'other' }],
        erased: [
          [0, 'lawful'],
          [1, 'other'],
        ],
      },
      ['erased', 'lawful: null 1', 'other: null 0'],
    ],
    [
      'an amount that was changed in what is left',
      { changes: [LAWFUL], erased: BOTH, rest: { costMicrodollars: 13 } },
      ['erased', 'erased', 'lawful: null 0'],
    ],
    [
      'a name that was put into what is left',
      { changes: [LAWFUL], erased: BOTH, rest: { username: 'ada' } },
      ['erased', 'erased', 'lawful: null 0'],
    ],
    [
      'another name in the change',
      {
        changes: [LAWFUL],
        erased: BOTH,
        edit: { after: JSON.stringify({ user: { digest: 'eve', key: 'key-1' } }) },
      },
      ['changed', 'erased', 'erased'],
    ],
    [
      'a change of another organization',
      { changes: [LAWFUL], erased: BOTH, edit: { organizationId: 'org-b' } },
      ['changed', 'erased', 'erased'],
    ],
    [
      'a copied change under another name',
      { changes: [LAWFUL, { ...LAWFUL, id: 'copy', user: 'eve' }], erased: BOTH },
      ['copy: erased before 2', 'lawful: null 2'],
    ],
    [
      'a copied change for the same name, more than an hour later',
      { changes: [LAWFUL, { ...LAWFUL, id: 'copy', atMs: ERASED_MS + HOUR_MS + 1 }], erased: BOTH },
      ['copy: erased before 2', 'lawful: null 2'],
    ],
  ])('is not with %s', async (_deed, deeds, expected) => {
    const { found, summary } = await forge(deeds);
    expect(found).toEqual(expected);
    expect(summary.intact).toBe(false);
  });

  it('has what was archived before, and cannot tell there which of two changes erased it', async () => {
    const copy = { ...LAWFUL, id: 'copy', user: 'eve' };
    const { found, summary } = await forge({ changes: [LAWFUL, copy], erased: BOTH, archived: 2 });
    expect(found).toEqual(['copy: null 0', 'lawful: null 0']);
    expect(summary).toMatchObject({ intact: true, erased: 0, erasedLater: 2 });
  });
});
