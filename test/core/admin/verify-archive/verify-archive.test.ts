// Archives, and what may be done to them: each deed is found and named, and nothing else is.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ArchiveProblem } from '../../../../core/admin/verify-archive/archive-problems.ts';
import {
  type ArchiveVerification,
  verifyArchive,
} from '../../../../core/admin/verify-archive/verify-archive.ts';
import type { ArchiveManifest } from '../../../../core/logs/archive/format.ts';
import { packTags, tagEntry, tagRest } from '../../../../core/logs/erasure/erased-tags.ts';
import { digestRecord } from '../../../../core/logs/seals/entry-digest.ts';
import { makeSeal } from '../../../../core/logs/seals/seal.ts';
import { toEntryToSeal } from '../../../../core/logs/seals/sealed-entry.ts';
import { createArchive, createArchiveWorld, DAYS, NOW_MS } from './archive-world.ts';

type World = Awaited<ReturnType<typeof createArchive>>;

async function verify({ source }: World, input: Partial<ArchiveVerification> = {}) {
  const run = verifyArchive({ nowMs: NOW_MS, ...input }, source);
  const problems: ArchiveProblem[] = [];
  /** Erasures that did what they say. */
  const told: ArchiveProblem[] = [];
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { problems, told, summary: value, kinds: [...new Set(problems.map(kindOf))].toSorted() };
    const isTold = value.kind === 'sealed' && value.found.kind === 'erasure' && value.found.problem === null;
    (isTold ? told : problems).push(value);
  }
}

function kindOf(problem: ArchiveProblem): string {
  return problem.kind === 'sealed' ? `sealed: ${problem.found.kind}` : problem.kind;
}

const OBJECT = 'chains/org-a/2026-11-21-0001.jsonl';

function edit({ objects }: World, name: string, change: (text: string) => string): void {
  const before = objects.get(name) ?? '';
  const after = change(before);
  expect(after).not.toBe(before);
  objects.set(name, after);
}

describe('an archive', () => {
  it('is intact as it was written, with every entry once, also in many parts', async () => {
    for (const partBytes of [undefined, 2_000]) {
      const world = await createArchive(partBytes);
      const { problems, summary } = await verify(world);
      expect(problems).toEqual([]);
      expect(summary).toMatchObject({ intact: true, days: 3, seals: 144, whole: 288, expired: 0 });
      expect([summary.firstDay, summary.lastDay]).toEqual(['2026-11-20', '2026-11-22']);
    }
    expect((await createArchive(2_000)).objects.size).toBeGreaterThan(30);
  });

  it('knows for each object whose entries it has, since organizations keep theirs for different times', async () => {
    const { organizations } = await createArchive();
    expect(organizations.get(OBJECT)).toEqual(['acme']);
    expect(organizations.get('days/2026-11-21.json')).toEqual(['acme', 'beta']);
  });

  it('has a seal just before midnight in both days, and counts it once', async () => {
    const world = await createArchiveWorld();
    const links = world.seals.get('org-a') ?? [];
    const last = links[23];
    if (last === undefined) throw new Error('no seal');
    // The last hour of the first day was sealed late, and every link after it follows.
    let head = links[22];
    for (const [index, { lines, sealedAtMs }] of [...links.entries()].slice(23)) {
      const atMs = index === 23 ? Date.parse('2026-11-21') - 1_000 : sealedAtMs;
      head = makeSeal('org-a', head, lines.split('\n'), atMs);
      links[index] = head;
    }
    for (const day of DAYS) await world.archive(day);
    expect(
      world.objects
        .get(OBJECT)
        ?.split('\n')
        .filter((line) => line.startsWith('{"seal"')),
    ).toHaveLength(25);
    const { problems, summary } = await verify(world);
    expect([problems, summary.seals, summary.whole]).toEqual([[], 144, 288]);
  });

  it('says of entries that were gone whether their retention had ended', async () => {
    const world = await createArchiveWorld();
    const keys = [...world.table.keys()];
    world.table.delete(keys[0] ?? '');
    for (const day of DAYS) await world.archive(day);
    const { problems } = await verify(world);
    expect(problems).toMatchObject([{ kind: 'sealed', found: { kind: 'missing' } }]);
    // The same archive, had it been written when the retention had ended.
    edit(world, 'days/2026-11-20.json', (text) => text.replace(/"writtenAt": "2026/, '"writtenAt": "2027'));
    expect((await verify(world)).summary).toMatchObject({ intact: true, expired: 1 });
  });
});

describe('an entry that was erased before it was archived', () => {
  /** One of the second day, whose change is of the third. */
  async function erase(
    change: { readonly id?: string; readonly rest?: object; readonly isArchived?: boolean } = {},
  ) {
    const world = await createArchiveWorld();
    const archived = change.isArchived === true ? DAYS.slice(0, 2) : [];
    for (const day of archived) await world.archive(day);
    const [key = '', whole] = [...world.table].find(([name]) => name.includes('org-a#2026-11-21')) ?? [];
    if (whole === undefined) throw new Error('no entry');
    const { salt: _salt, ...rest } = whole;
    const links = world.seals.get('org-a') ?? [];
    const atMs = Date.parse('2026-11-22T12:00:00Z');
    const time = new Date(atMs).toISOString();
    const { digest } = digestRecord(whole);
    const tags = packTags([
      { entry: tagEntry({ pk: String(whole['pk']), sk: String(whole['sk']), digest }), rest: tagRest(rest) },
    ]);
    const erased = { $binary: Buffer.from(tags).toString('base64') };
    const record = {
      ...{ pk: 'CHANGES#org-a', sk: `${time}#change-1`, id: 'change-1', actions: ['erase_user'] },
      ...{ organization: 'acme', organizationId: 'org-a', salt: { $binary: 'c2FsdA==' }, erased },
      expiresAt: Math.floor(atMs / 1000) + 365 * 86_400,
    };
    world.table.set(key, { ...rest, ...change.rest, erasedBy: change.id ?? 'change-1' });
    world.table.set(JSON.stringify([record.pk, record.sk]), record);
    const { line } = toEntryToSeal(record, Math.floor(atMs / 1000));
    links.push(makeSeal('org-a', links.at(-1), [line], Date.parse('2026-11-22T23:59:00Z')));
    for (const day of DAYS.slice(archived.length)) await world.archive(day);
    return verify(world);
  }

  it('is explained by its sealed change of a later day', async () => {
    const { problems, summary } = await erase();
    expect(problems).toEqual([]);
    expect(summary).toMatchObject({ intact: true, whole: 288, erased: 1, erasedLater: 0 });
  });

  it('stays where it was archived before, and is counted as such', async () => {
    const { problems, summary } = await erase({ isArchived: true });
    expect(problems).toEqual([]);
    expect(summary).toMatchObject({ intact: true, whole: 289, erased: 0, erasedLater: 1 });
  });

  it('says what was erased, by which change', async () => {
    const { told } = await erase();
    expect(told).toMatchObject([{ found: { kind: 'erasure', id: 'change-1', entries: 1, problem: null } }]);
  });

  it.each([{ id: 'change-2' }, { rest: { costMicrodollars: 13 } }])(
    'is found where none names it: %o',
    async (change) => {
      const { kinds, summary } = await erase(change);
      expect([kinds, summary.erased, summary.intact]).toEqual([['sealed: erased'], 0, false]);
    },
  );
});

describe('what was done to an archive is found:', () => {
  it.each<[string, (world: World) => void, readonly string[]]>([
    [
      'a flipped byte in an entry',
      (world) =>
        edit(world, OBJECT, (text) => text.replace('"costMicrodollars":12', '"costMicrodollars":13')),
      ['object changed', 'sealed: changed'],
    ],
    [
      'a flipped byte in a seal',
      (world) => edit(world, OBJECT, (text) => text.replace('"previousAtMs":1', '"previousAtMs":2')),
      ['object changed', 'sealed: seal'],
    ],
    [
      'a byte that breaks a line',
      (world) => edit(world, OBJECT, (text) => text.replace('{"record"', '("record"')),
      ['lines', 'object changed', 'sealed: missing'],
    ],
    [
      'an hour that was taken out, with its seal',
      (world) => edit(world, OBJECT, withoutLines(3, 3)),
      ['object changed', 'sealed: seals missing'],
    ],
    [
      'an hour of entries that was taken out',
      (world) => edit(world, OBJECT, withoutLines(4, 2)),
      ['object changed', 'sealed: missing'],
    ],
    [
      'an entry that was put in',
      (world) =>
        edit(world, OBJECT, (text) =>
          text.replace(/\n(\{"record".*)\n/, '\n$1\n{"record":{"pk":"x","sk":"y"}}\n'),
        ),
      ['lines', 'object changed'],
    ],
    [
      'a missing object',
      (world) => void world.objects.delete(OBJECT),
      ['head', 'object missing', 'sealed: seals missing'],
    ],
    [
      'a missing day, its manifest and its objects',
      (world) => removeDay(world, '2026-11-21'),
      ['day missing', 'sealed: seals missing'],
    ],
    ['a missing last day', (world) => removeDay(world, '2026-11-22'), ['day missing']],
    [
      'a manifest that is missing alone',
      (world) => void world.objects.delete('days/2026-11-21.json'),
      ['day missing', 'foreign object', 'sealed: seals missing'],
    ],
    [
      'a manifest that cannot be read',
      (world) => void world.objects.set('days/2026-11-21.json', '{}'),
      ['day unreadable', 'foreign object', 'sealed: seals missing'],
    ],
    [
      'a foreign object',
      (world) => void world.objects.set('chains/org-a/other.jsonl', '{}\n'),
      ['foreign object'],
    ],
    [
      'an object of another organization in its place',
      (world) =>
        void world.objects.set(OBJECT, world.objects.get('chains/org-b/2026-11-21-0001.jsonl') ?? ''),
      ['head', 'lines', 'object changed', 'sealed: seals missing'],
    ],
    ['an hour that was taken out, with digests and head made anew', forgeDay, ['sealed: seals missing']],
    ['everything', ({ objects }) => objects.clear(), ['empty']],
  ])('%s', async (_deed, change, expected) => {
    const world = await createArchive();
    change(world);
    const { kinds, summary } = await verify(world);
    expect(kinds).toEqual(expected);
    expect(summary.intact).toBe(false);
  });

  it('names the entry and its member', async () => {
    const world = await createArchive();
    edit(world, OBJECT, (text) => text.replace('"costMicrodollars":12', '"costMicrodollars":13'));
    const { problems } = await verify(world);
    expect(problems).toContainEqual({
      kind: 'sealed',
      chain: 'org-a',
      found: expect.objectContaining({
        kind: 'changed',
        time: '2026-11-21T00:01:00.000Z',
        differences: { changed: ['costMicrodollars'], added: [], removed: 0 },
      }),
    });
  });

  it('a first day that was taken away, by whoever knows that it was there', async () => {
    const world = await createArchive();
    removeDay(world, '2026-11-20');
    expect((await verify(world)).summary).toMatchObject({ intact: true, firstDay: '2026-11-21' });
    const { problems } = await verify(world, { firstDay: '2026-11-20' });
    expect(problems).toEqual([{ kind: 'day missing', day: '2026-11-20' }]);
  });

  it('an archive that was made anew, by a head that was kept elsewhere', async () => {
    const world = await createArchive();
    const { sequence, hash } = world.seals.get('org-b')?.[30] ?? { sequence: 0, hash: '' };
    expect((await verify(world, { head: { sequence, hash } })).problems).toEqual([]);
    const { kinds } = await verify(world, { head: { sequence, hash: '0'.repeat(64) } });
    expect(kinds).toEqual(['kept head']);
  });

  it('a day that was not archived in time, and no day that is not due yet', async () => {
    const world = await createArchive();
    expect((await verify(world, { nowMs: NOW_MS + 23.9 * 3_600_000 })).problems).toEqual([]);
    expect((await verify(world, { nowMs: NOW_MS + 24 * 3_600_000 })).problems).toEqual([
      { kind: 'day missing', day: '2026-11-23' },
    ]);
  });
});

/** Lines counted from 0: a seal and its two entries are three. */
function withoutLines(first: number, count: number) {
  return (text: string) => text.split('\n').toSpliced(first, count).join('\n');
}

function removeDay({ objects }: World, day: string): void {
  for (const name of [...objects.keys()]) if (name.includes(day)) objects.delete(name);
}

/** By somebody who knows the format: what is left describes itself. */
function forgeDay(world: World): void {
  edit(world, OBJECT, withoutLines(3, 3));
  edit(world, 'days/2026-11-21.json', (text) => {
    const manifest = JSON.parse(text) as ArchiveManifest;
    const body = world.objects.get(OBJECT) ?? '';
    const sha256 = createHash('sha256').update(body).digest('hex');
    const objects = [{ name: OBJECT, bytes: Buffer.byteLength(body), sha256 }];
    const own = manifest.chains['org-a'];
    return JSON.stringify({ ...manifest, chains: { ...manifest.chains, 'org-a': { ...own, objects } } });
  });
}
