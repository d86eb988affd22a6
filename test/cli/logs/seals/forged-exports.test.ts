// A corpus of exports that were emptied, filled, cut, moved in time or damaged, digests made anew: `neuron logs verify` names every one.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeSeal } from '../../../../core/logs/seals/seal.ts';
import { NOW_MS } from '../../memory-ports.ts';
import { DAY_MS, exported, type Files, forge, iso, type Line, verify } from './forge.ts';

// Verified ten days later: a forger may move the start of the export.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS + 10 * DAY_MS }));
afterEach(() => void vi.useRealTimers());

describe('an export', () => {
  const without = (files: Files, ...ids: string[]) => {
    files.lines = files.lines.filter(({ executionId }) => !ids.includes(String(executionId)));
  };
  const corpus: readonly [string, (files: Files) => void, RegExp][] = [
    [
      'without an entry, begun after its retention',
      (files) => {
        without(files, 'b');
        files.manifest['startedAt'] = iso(NOW_MS + 9 * DAY_MS);
      },
      / b is missing/,
    ],
    [
      'without any entry, begun after all retentions',
      (files) => {
        without(files, 'a', 'b', 'c', 'd');
        files.manifest['startedAt'] = iso(NOW_MS + 9 * DAY_MS);
      },
      / a is missing/,
    ],
    [
      'begun after a retention of what it holds',
      ({ manifest }) => {
        manifest['startedAt'] = iso(NOW_MS + 9 * DAY_MS);
      },
      / a had expired when the manifest says/,
    ],
    [
      'of an empty period',
      (files) => {
        without(files, 'a', 'b', 'c', 'd');
        files.manifest['from'] = files.manifest['to'];
      },
      /manifest is false: to: the period is empty or reversed/,
    ],
    [
      'of a reversed period',
      ({ manifest }) => {
        [manifest['from'], manifest['to']] = [manifest['to'], manifest['from']];
      },
      /manifest is false: to: the period is empty or reversed/,
    ],
    [
      'begun in the future',
      ({ manifest }) => {
        manifest['startedAt'] = iso(NOW_MS + 11 * DAY_MS);
      },
      /manifest is false: startedAt: it is in the future/,
    ],
    [
      'begun before its newest seal',
      (files) => {
        files.manifest['startedAt'] = iso(NOW_MS - 120_000);
        files.manifest['to'] = iso(NOW_MS - 120_000);
      },
      /manifest is false: startedAt: seal 3 is newer/,
    ],
    [
      'of a longer period, with an entry less',
      ({ manifest }) => {
        manifest['from'] = iso(NOW_MS - 4 * DAY_MS);
      },
      / before is missing/,
    ],
    [
      'of a shorter period',
      ({ manifest }) => {
        manifest['from'] = iso(NOW_MS - 2 * 3_600_000);
      },
      / a is outside the period of the manifest/,
    ],
    [
      'of another slug',
      ({ manifest }) => {
        manifest['organization'] = 'other';
      },
      / a is listed with this organization/,
    ],
    [
      'of another organization, without entries',
      (files) => {
        without(files, 'a', 'b', 'c', 'd');
        files.manifest['organizationId'] = 'zzz';
        files.manifest.seals.heads = { zzz: null, SERVICE: null };
        files.seals = [];
      },
      /no seal of the organization/,
    ],
    [
      'with the seals of another organization',
      ({ seals }) => {
        for (const line of seals)
          if (line.seal) line.seal = makeSeal('zzz', undefined, [line.seal.lines], NOW_MS - 60_000);
      },
      /is unreadable/,
    ],
    ['without its last seal', ({ seals }) => void seals.pop(), / was put in later: no seal has it/],
    ['with a seal twice', ({ seals }) => void seals.push(seals[0]!), /seal 1 does not follow/],
    [
      'with a line that is no seal',
      ({ seals }) => void seals.push({ chain: 'id-acme', sequence: 1e125, seal: null }),
      /unreadable|no seal of this export/,
    ],
    [
      'with a seal of a third chain',
      ({ seals }) => void seals.push({ chain: 'zzz', sequence: 1, seal: null }),
      /a line of it is no seal of this export/,
    ],
    [
      'with a seal whose lines are no text',
      ({ seals }) => {
        seals[1] = { ...seals[1]!, seal: { ...seals[1]!.seal!, lines: 5 as never } };
      },
      /seal 2 is unreadable/,
    ],
    ['with an entry twice', ({ lines }) => void lines.push(lines[0]!), /is there twice or out of order/],
    ['in another order', ({ lines }) => void lines.reverse(), /is there twice or out of order/],
    [
      'with an entry that no seal has',
      ({ lines }) => {
        const text = JSON.stringify(lines[0])
          .replaceAll('#a"', '#forged"')
          .replace('"executionId":"a"', '"executionId":"forged"');
        lines.splice(1, 0, JSON.parse(text) as Line);
      },
      / forged was put in later: no seal has it/,
    ],
    [
      'with an entry of another organization',
      ({ lines }) => {
        const text = JSON.stringify(lines[0])
          .replaceAll('#a"', '#forged"')
          .replace('"executionId":"a"', '"executionId":"forged"')
          .replaceAll('id-acme', 'zzz');
        lines.splice(1, 0, JSON.parse(text) as Line);
      },
      / forged is listed with this organization/,
    ],
    [
      'with a change of a time before the organization',
      ({ lines }) => {
        const time = iso(NOW_MS - 2 * DAY_MS + 60_000);
        const id = `chg-${Date.parse(time).toString(36)}-0000000000000000`;
        lines.unshift({
          ...{
            type: 'change',
            time,
            pk: 'CHANGES#acme',
            sk: `${time}#${id}`,
            id,
            by: 'bob',
            actions: ['pause'],
          },
          ...{
            organization: 'acme',
            organizationId: 'zzz',
            timeMs: Date.parse(time),
            expiresAt: NOW_MS / 1000 + DAY_MS,
          },
        });
      },
      / is listed with this organization/,
    ],
    [
      'with a line that is no entry',
      ({ lines }) => void lines.push(5 as never),
      /cannot be read|contradicts|out of order/,
    ],
  ];

  it.each(corpus)('%s is named, with all digests made anew', async (_name, change, named) => {
    const { path } = await forge(change);
    const { stdout, stderr, exitCode } = await verify(path);
    expect(stdout + stderr).toMatch(named);
    expect(stderr).not.toContain('This is a defect');
    expect(exitCode).toBe(1);
  });

  it('cut back to an earlier state is named by a head that was kept', async () => {
    const { path, head } = await forge((files) => {
      without(files, 'a', 'b');
      files.seals.pop();
      files.manifest['to'] = iso(NOW_MS - 2 * 3_600_000 - 1_800_000);
    });
    const { stdout, exitCode } = await verify(path, '--head', head);
    expect(stdout).toContain(`the chain does not contain the kept head ${head}`);
    expect(exitCode).toBe(1);
  });

  it.each([0, 4, 100, 1_000])('as Parquet with bytes changed at %i is named, and no crash', async (at) => {
    const { path } = await exported('parquet');
    const bytes = readFileSync(path);
    bytes.fill(0xff, at, at + 64);
    writeFileSync(path, bytes);
    const { stdout, stderr, exitCode } = await verify(path);
    expect(stdout).toContain(
      `${basename(path)} is not the file that the manifest describes: its SHA-256 differs`,
    );
    expect(stderr).not.toContain('This is a defect');
    expect(exitCode).toBe(1);
  });

  it.each(['', 'PAR1', `PAR1${'x'.repeat(200)}PAR1`])(
    'as Parquet with the content %j is named',
    async (text) => {
      const { path } = await exported('parquet');
      writeFileSync(path, text);
      const { stderr, exitCode } = await verify(path);
      expect(stderr).toMatch(/Entry 1 of .* cannot be read/);
      expect(exitCode).toBe(1);
    },
  );
});
