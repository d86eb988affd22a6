// A corpus of forged manifests and entries of exports, digests made anew: `neuron logs verify` names every one.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { someOf } from '../../../support/every-case.ts';
import { NOW_MS } from '../../memory-ports.ts';
import { DAY_MS, exported, forge, iso, verify } from './forge.ts';

// Verified ten days later: a forger may move the start of the export.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS + 10 * DAY_MS }));
afterEach(() => void vi.useRealTimers());

it.each(['jsonl', 'csv', 'parquet'])(
  'an export as %s that nobody touched is intact, with its kept head',
  async (format) => {
    const { path, head } = await exported(format);
    const { stdout, exitCode } = await verify(path, '--head', head);
    expect(stdout).toContain(`is intact: 4 whole, 1 expired; 3 seals, head ${head}.`);
    expect(stdout).toContain(
      `It has ${iso(NOW_MS - 2 * DAY_MS + 1)} to ${iso(NOW_MS)}, and was begun at ${iso(NOW_MS)}.`,
    );
    expect(exitCode).toBe(0);
  },
);

/** What shows a forged member that could be true by itself: the file, the entries or the other members that it does not fit. */
const CONSEQUENCES: Readonly<Record<string, RegExp>> = {
  version: /is not the manifest of an export/,
  organization: / is listed with this organization, and is of none or another/,
  organizationId: /the manifest is false: seals\.heads\./,
  from: / is missing: its retention ends |the manifest is false: to: the period is empty or reversed/,
  startedAt: /the manifest is false: to: the period ends after|had expired when the manifest says/,
  file: /cannot be read/,
  bytes: /log is not the file that the manifest describes: it has 2821 bytes, not 7/,
  sha256: /log is not the file that the manifest describes: its SHA-256 differs/,
  seals: /is not the manifest of an export/,
  'seals.file': /cannot be read/,
  'seals.bytes': /log\.seals\.jsonl is not the file that the manifest describes: it has 1730 bytes, not 7/,
  'seals.sha256': /log\.seals\.jsonl is not the file that the manifest describes: its SHA-256 differs/,
};

describe('a member of the manifest', () => {
  const paths = [
    ...[
      'version',
      'organization',
      'organizationId',
      'from',
      'to',
      'startedAt',
      'format',
      'file',
      'bytes',
      'sha256',
    ],
    ...['entries', 'entries.call', 'entries.change', 'entries.outcome'],
    ...[
      'seals',
      'seals.file',
      'seals.bytes',
      'seals.sha256',
      'seals.heads',
      'seals.heads.id-acme',
      'seals.heads.SERVICE',
    ],
  ];
  const values: Readonly<Record<string, unknown>> = {
    null: null,
    foreign: 'zzz',
    object: {},
    earlier: iso(NOW_MS - 4 * DAY_MS),
    later: iso(NOW_MS + 7 * DAY_MS),
    future: iso(NOW_MS + 1000 * DAY_MS),
    huge: 1e125,
    other: 7,
    elsewhere: '../log',
    'a digest': 'a'.repeat(64),
    'a head': `2:${'a'.repeat(64)}`,
  };
  const isTrue = (path: string, value: string) => path === 'seals.heads.SERVICE' && value === 'null';
  const corpus = paths.flatMap((path) =>
    ['absent', ...Object.keys(values)]
      .filter((value) => !isTrue(path, value))
      .map((value) => [path, value] as const),
  );

  it.each(someOf(corpus, 5))('is named where %s is %s', async (path, value) => {
    const { path: file } = await forge(
      () => undefined,
      ({ manifest }) => {
        const names = path.split('.');
        const last = names.pop() ?? '';
        const owner = names.reduce<Record<string, unknown>>(
          (at, name) => at[name] as Record<string, unknown>,
          manifest,
        );
        if (value === 'absent') delete owner[last];
        else owner[last] = values[value];
      },
    );
    const { stdout, stderr, exitCode } = await verify(file);
    expect(exitCode).toBe(1);
    expect(stderr).not.toContain('This is a defect');
    const output = stdout + stderr;
    if (!output.includes(`the manifest is false: ${path}`))
      expect(output).toMatch(CONSEQUENCES[path] ?? /^$/);
  });

  it('is named where nobody writes such a one', async () => {
    const { path } = await forge(
      () => undefined,
      ({ manifest }) => Object.assign(manifest, { verified: true }),
    );
    expect(await verify(path)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('manifest is false: verified'),
    });
  });
});

describe('an attribute of an entry', () => {
  const names = [
    ...['type', 'time', 'pk', 'sk', 'organizationHour', 'usernameHour', 'executionId', 'organization'],
    ...[
      'organizationId',
      'neuronId',
      'timeMs',
      'expiresAt',
      'username',
      'outcome',
      'status',
      'packed',
      'output',
      'record',
    ],
  ];
  const values: Readonly<Record<string, unknown>> = {
    null: null,
    foreign: 'zzz',
    earlier: NOW_MS - 100 * DAY_MS,
    later: iso(NOW_MS + DAY_MS),
    huge: { $number: '1e125' },
  };
  const corpus = names.flatMap((name) =>
    ['absent', ...Object.keys(values)]
      .filter((value) => !(name === 'record' && value === 'absent'))
      .map((value) => [name, value] as const),
  );

  it.each(someOf(corpus, 5))(
    'is named where %s is %s, with digests made anew and the kept head',
    async (name, value) => {
      const { path, head } = await forge(({ lines }) => {
        const line = lines.find(({ executionId }) => executionId === 'c')!;
        if (value === 'absent') delete line[name];
        else line[name] = values[value];
      });
      const { stdout, stderr, exitCode } = await verify(path, '--head', head);
      expect(exitCode).toBe(1);
      expect(stderr).not.toContain('This is a defect');
      expect(stdout + stderr).toMatch(
        /was changed|is missing|contradicts itself|shows other members|cannot be read/,
      );
    },
  );

  it('is named where the line shows another text than the packed one, or another item than its record', async () => {
    const shown = await forge(({ lines }) => {
      lines.find(({ executionId }) => executionId === 'c')!['output'] = {
        kind: 'full',
        text: 'false',
        bytes: 5,
      };
    });
    expect((await verify(shown.path)).stdout).toContain(
      ' c shows other members than the item that was sealed',
    );
    const hidden = await forge(({ lines }) => {
      const at = lines.findIndex(({ executionId }) => executionId === 'd');
      const { type, time, ...record } = lines[at]!;
      lines[at] = { ...record, type, time, username: 'bob', record };
    });
    expect((await verify(hidden.path)).stdout).toContain(
      ' d shows other members than the item that was sealed',
    );
  });
});
