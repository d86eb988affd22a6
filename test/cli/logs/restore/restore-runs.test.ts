// `neuron logs restore`: a run whose function was lost before its end becomes a failed entry, once, and no other run does.
import { describe, expect, it } from 'vitest';
import { renderLine, renderOpenLine } from '../../../../core/logs/line.ts';
import { logEntry, NOW_MS, runWith } from '../../memory-ports.ts';
import { lineOf, withEntries, writeLog } from './restore-log.ts';

describe('a run that began', () => {
  const lost = logEntry({
    ...{ executionId: 'run=', outcome: 'failed', status: 500, code: 'internal' },
    ...{
      reason: 'interrupted: the function ended before its run did',
      tokensInput: 90,
      tokensOutput: 10,
    },
  });
  const opened = (endsByMs = NOW_MS) => renderOpenLine(lost, endsByMs);
  const ended = renderLine(logEntry({ executionId: 'run=' }), { stage: 'test' });

  it('and whose end nobody saw is a failed entry, interrupted, with all that it can have used', async () => {
    const ports = await withEntries();
    const { stdout } = await runWith(ports, ['logs', 'restore', writeLog('START', opened()), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ entries: 1, restored: 1 });
    expect(await ports.logReader.find('run=')).toMatchObject({
      ...{ outcome: 'failed', code: 'internal', restored: true, tokensInput: 90, tokensOutput: 10 },
      reason: expect.stringContaining('interrupted'),
    });
  });

  it.each([
    ['behind its opening', () => [opened(), ended]],
    ['before it, where lines of two sources are mixed', () => [ended, opened()]],
    [
      'many lines later',
      () => [opened(), ...Array.from({ length: 40 }, (_, at) => lineOf(`e${at}=`)), ended],
    ],
  ])('is the entry of its end, %s', async (_where, lines) => {
    const ports = await withEntries();
    await runWith(ports, ['logs', 'restore', writeLog(...lines())]);
    expect(await ports.logReader.find('run=')).toMatchObject({ outcome: 'success', restored: true });
  });

  it('is the entry of its end, also from another file', async () => {
    const ports = await withEntries();
    const words = ['logs', 'restore', writeLog(opened()), writeLog(ended), '--json'];
    expect(JSON.parse((await runWith(ports, words)).stdout)).toMatchObject({ entries: 1, restored: 1 });
    expect(await ports.logReader.find('run=')).toMatchObject({ outcome: 'success' });
  });

  it('is left alone while its function may still run, and where its entry is there', async () => {
    const running = await withEntries();
    const soon = await runWith(running, ['logs', 'restore', writeLog(opened(NOW_MS + 1)), '--json']);
    expect(JSON.parse(soon.stdout)).toMatchObject({ entries: 0, restored: 0 });
    const there = await withEntries(logEntry({ executionId: 'run=' }));
    const known = await runWith(there, ['logs', 'restore', writeLog(opened()), '--json']);
    expect(JSON.parse(known.stdout)).toMatchObject({ entries: 1, restored: 0, there: 1 });
    expect(await there.logReader.find('run=')).toMatchObject({ outcome: 'success' });
  });

  it('with a line for each of its attempts, is that of the last one', async () => {
    const ports = await withEntries();
    const later = renderOpenLine({ ...lost, tokensInput: 180 }, NOW_MS);
    await runWith(ports, ['logs', 'restore', writeLog(opened(), later)]);
    expect(await ports.logReader.find('run=')).toMatchObject({ tokensInput: 180 });
  });
});
