// Which entries a request writes: its own, or, in a flood of refusals, the one that counts them.
import { describe, expect, it } from 'vitest';
import { createJournal } from '../../../core/logs/journal.ts';
import { FACTS, NOON_MS } from './entries.ts';

const MINUTE_MS = 60_000;
const rejected = { ...FACTS, run: undefined, input: undefined, code: 'access_closed' } as const;
const otherNeuron = { ...rejected.subject, neuronId: 'neu-2' };

describe('a journal', () => {
  it('writes a run as its own entry, however many there are', () => {
    const journal = createJournal();
    for (let index = 0; index < 200; index += 1) expect(journal.record(FACTS)).toEqual([FACTS]);
  });

  it.each([
    'unauthorized',
    'access_closed',
    'ip_not_allowed',
    'rate_limited',
    'organization_paused',
    'malformed_json',
    'malformed_body',
    'not_found',
    'deployment_not_found',
    'revision_not_found',
    'invalid_input',
    'input_too_large',
    'invalid_parameter',
    'maintenance',
    'configuration',
    'missing_deployment',
    'overloaded',
    'dependency_unavailable',
  ] as const)(
    'writes sixty requests that ended with %s before they ran, then none until the minute is over',
    (code) => {
      const journal = createJournal();
      const written = Array.from({ length: 100 }, () => journal.record({ ...rejected, code }).length);
      expect(written).toEqual([...Array(60).fill(1), ...Array(40).fill(0)]);
    },
  );

  it.each(['internal', 'upstream_unavailable', 'deadline_exceeded'] as const)(
    'writes every answer with %s, since it may have run',
    (code) => {
      const journal = createJournal();
      const ended = { ...rejected, input: 'text', code };
      for (let index = 0; index < 100; index += 1) journal.record(ended);
      expect(journal.record(ended)).toHaveLength(1);
    },
  );

  it('counts failures of both sides of a rollout apart', () => {
    const journal = createJournal();
    const failed = { ...rejected, code: 'configuration' } as const;
    const sides = (['control', 'candidate'] as const).map((arm) => ({
      version: 'v1',
      rollout: { id: 'r', arm },
    }));
    for (let index = 0; index < 50; index += 1) for (const side of sides) journal.record({ ...failed, side });
    expect(journal.due(NOON_MS + MINUTE_MS).map(({ count, side }) => [side?.rollout.arm, count])).toEqual([
      ['control', 20],
      ['candidate', 20],
    ]);
  });

  it('counts replays beyond sixty a minute, apart from refusals, since no limit bounds them', () => {
    const journal = createJournal();
    const replay = {
      ...rejected,
      code: undefined,
      replay: { executionId: 'exec-0', executionStopped: false },
    };
    const written = Array.from({ length: 100 }, () => journal.record(replay));
    expect(written.flat()).toEqual(Array(60).fill(replay));
    expect(journal.record(rejected)).toEqual([rejected]);
    expect(journal.due(NOON_MS + MINUTE_MS)).toEqual([{ ...replay, count: 40 }]);
  });

  it('counts lists of models beyond sixty a minute, apart from refusals and replays', () => {
    const journal = createJournal();
    const listed = { ...rejected, code: undefined };
    const replay = { ...listed, replay: { executionId: 'exec-0', executionStopped: false } };
    const written = Array.from({ length: 300 }, () => journal.record(listed));
    expect(written.flat()).toEqual(Array(60).fill(listed));
    expect(journal.record(replay)).toEqual([replay]);
    expect(journal.record(rejected)).toEqual([rejected]);
    expect(journal.due(NOON_MS + MINUTE_MS)).toEqual([{ ...listed, count: 240 }]);
  });

  it('counts whatever ends before its input was read', () => {
    const journal = createJournal();
    const written = Array.from({ length: 100 }, () =>
      journal.record({ ...rejected, code: 'deadline_exceeded' }),
    );
    expect(written.flat()).toHaveLength(60);
  });

  it('writes what was counted with the first request of another minute, whatever that request is', () => {
    const journal = createJournal();
    for (let index = 0; index < 100; index += 1)
      journal.record({ ...rejected, executionId: `exec-${index}` });
    const later = { ...FACTS, timeMs: NOON_MS + MINUTE_MS };
    expect(journal.record(later)).toEqual([{ ...rejected, executionId: 'exec-99', count: 40 }, later]);
    expect(journal.record(later)).toEqual([later]);
  });

  it('hands out what was counted to a request without an entry too, once', () => {
    const journal = createJournal();
    for (let index = 0; index < 100; index += 1) journal.record(rejected);
    expect(journal.due(NOON_MS)).toEqual([]);
    expect(journal.due(NOON_MS + MINUTE_MS)).toEqual([{ ...rejected, count: 40 }]);
    expect(journal.due(NOON_MS + MINUTE_MS)).toEqual([]);
  });

  it('gives a count that waited long the time at which it is put, since a late entry is a sign of tampering', () => {
    const journal = createJournal();
    for (let index = 0; index < 100; index += 1) journal.record(rejected);
    const later = NOON_MS + 31 * MINUTE_MS;
    expect(journal.due(later)).toEqual([{ ...rejected, count: 40, timeMs: later }]);
    for (let index = 0; index < 100; index += 1) journal.record({ ...rejected, timeMs: later });
    expect(journal.due(later + 30 * MINUTE_MS)).toEqual([{ ...rejected, count: 40, timeMs: later }]);
  });

  it('keeps no text of what it counts, since what is due is written under the settings of whoever comes next', () => {
    const journal = createJournal();
    const limited = { ...rejected, code: 'rate_limited', input: 'secret input' } as const;
    expect(journal.record(limited)).toEqual([{ ...limited, input: undefined }]);
    for (let index = 0; index < 100; index += 1) journal.record(limited);
    const later = { ...FACTS, subject: otherNeuron, input: undefined, timeMs: NOON_MS + MINUTE_MS };
    const [counted] = journal.record(later);
    expect(counted).toMatchObject({ count: 41, subject: rejected.subject, code: 'rate_limited' });
    expect(JSON.stringify(counted)).not.toContain('secret');
  });

  it('writes every run that was refused on its way, since it has used tokens', () => {
    const journal = createJournal();
    const stopped = { ...FACTS, code: 'rate_limited' } as const;
    for (let index = 0; index < 100; index += 1) expect(journal.record(stopped)).toEqual([stopped]);
  });

  it('counts each code apart, within one budget', () => {
    const journal = createJournal();
    const codes = ['malformed_json', 'invalid_input', 'revision_not_found', 'unauthorized'] as const;
    const written = Array.from({ length: 100 }, (_, index) =>
      journal.record({ ...rejected, code: codes[index % 4] }),
    );
    expect(written.flat()).toHaveLength(60);
    const due = journal.due(NOON_MS + MINUTE_MS);
    expect(due.map(({ code, count }) => [code, count])).toEqual(codes.map((code) => [code, 10]));
  });

  it('lets no flood of refusals hide a failure', () => {
    const journal = createJournal();
    for (let index = 0; index < 100; index += 1) journal.record(rejected);
    expect(journal.record({ ...rejected, code: 'configuration' })).toHaveLength(1);
  });

  it('keeps the text of whatever may have run', () => {
    const ended = { ...FACTS, run: undefined, code: 'deadline_exceeded' } as const;
    expect(createJournal().record(ended)).toEqual([ended]);
  });

  it('counts for each neuron apart', () => {
    const journal = createJournal();
    for (let index = 0; index < 100; index += 1) journal.record(rejected);
    expect(journal.record({ ...rejected, subject: otherNeuron })).toHaveLength(1);
  });
});
