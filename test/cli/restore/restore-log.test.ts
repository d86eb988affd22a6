// `neuron restore` of log and usage, in the embedded DynamoDB: nothing is counted or sealed twice, and no two chains are mixed.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSealedLog, type RawItem } from '../../support/sealed-log.ts';
import { openRestoredTables, type RestoredTables } from './restored-tables.ts';

/** With it the ids of neurons have 24 characters, as they do in a stack. */
const ORGANIZATION = 'org-1234567890';
const DAY_MS = 86_400_000;

let world: RestoredTables;
let startMs: number;
beforeEach(async () => {
  world = await openRestoredTables();
  startMs = Date.now() - 3 * DAY_MS;
});
afterEach(() => world.stop());

const openLog = (from = startMs) => createSealedLog(world.dynamoDb, ORGANIZATION, from);
const kindOf = ({ pk }: RawItem) => pk?.S?.split('#')[0];
const rows = async () =>
  (await world.scan(world.dynamoDb.tables.usage))
    .filter((item) => kindOf(item) === 'ORG')
    .toSorted((one, other) => (String(one['sk']?.S) < String(other['sk']?.S) ? -1 : 1));

/** Entries of three days ago, sealed, whose marks have expired since. */
async function fillAndForget() {
  const log = openLog();
  await log.fill(['e-1', 'e-2', 'e-3', 'e-4', 'e-5']);
  await world.lose('usage', (item) => kindOf(item) === 'ENTRIES');
  return log;
}

describe('neuron restore of the log', () => {
  it('puts back lost entries, which are neither counted nor sealed again', async () => {
    const log = await fillAndForget();
    const from = await world.backUp('logs');
    const [lost, counted] = [await log.itemOf('e-3'), await rows()];
    expect(await world.lose('logs', ({ sk }) => sk?.S?.endsWith('#e-3') ?? false)).toBe(1);
    expect(await log.describe()).toEqual(['missing e-3']);
    // What the stream has delivered so far.
    const later = openLog(Date.now());
    await later.seal({ skip: true });
    expect(await world.restoreJson('--from', from, '--as', 'logs')).toMatchObject({
      restored: 1,
      present: 4,
    });
    expect(await log.itemOf('e-3')).toEqual(lost);
    await later.seal();
    expect(await rows()).toEqual(counted);
    expect(await log.describe()).toEqual([]);
  });

  it('would count an entry twice without its marks, which shows that they are needed', async () => {
    const log = await fillAndForget();
    const [lost, counted] = [await log.itemOf('e-3'), await rows()];
    await world.lose('logs', ({ sk }) => sk?.S?.endsWith('#e-3') ?? false);
    const later = openLog(Date.now());
    await later.seal({ skip: true });
    await log.put(lost);
    await later.seal();
    expect(await rows()).not.toEqual(counted);
  });

  it('counts and seals an entry of the last day that was lost before the stream had delivered it', async () => {
    startMs = Date.now() - 3_600_000;
    const log = openLog();
    await log.fill(['e-1']);
    await log.store.put(log.entry('e-2', { timeMs: log.clock.now() }));
    const [from, counted] = [await world.backUp('logs'), await rows()];
    await world.lose('logs', ({ sk }) => sk?.S?.endsWith('#e-2') ?? false);
    expect(await world.restoreJson('--from', from, '--as', 'logs')).toMatchObject({ restored: 1 });
    await log.seal();
    expect(await rows()).not.toEqual(counted);
    expect(await log.describe()).toEqual([]);
  });

  it('leaves out what has expired, and what no log has', async () => {
    const log = openLog();
    await log.fill(['e-1']);
    const item = await log.itemOf('e-1');
    await log.put({ ...item, sk: { S: `${item['sk']?.S}-expired` }, expiresAt: { N: '1000000000' } });
    await log.put({ pk: { S: 'elsewhere' }, sk: { S: 'x' } });
    const from = await world.backUp('logs');
    await world.lose('logs', () => true);
    expect(await world.restoreJson('--from', from, '--as', 'logs')).toMatchObject({
      restored: 1,
      skipped: { expired: 1, unknown: 1 },
    });
  });
});

describe('neuron restore of usage', () => {
  it('puts back rows and seals below a head that went on', async () => {
    const log = openLog();
    await log.fill(['e-1', 'e-2', 'e-3', 'e-4']);
    const [from, counted] = [await world.backUp('usage'), await rows()];
    await log.fill(['e-5', 'e-6']);
    const whole = await rows();
    expect(whole).not.toEqual(counted);
    await world.lose('usage', ({ sk }) => Number(sk?.S) === 1);
    expect(await log.describe()).not.toEqual([]);
    expect(await world.restoreJson('--from', from, '--as', 'usage')).toMatchObject({
      restored: 1,
      skipped: {},
    });
    expect(await log.describe()).toEqual([]);
    expect(await rows()).toEqual(whole);
  });

  it('puts back a whole table, whose chain then goes on', async () => {
    const log = openLog();
    await log.fill(['e-1', 'e-2']);
    const [from, counted] = [await world.backUp('usage'), await rows()];
    await world.lose('usage', () => true);
    await world.restoreJson('--from', from, '--as', 'usage');
    expect(await rows()).toEqual(counted);
    await log.fill(['e-3']);
    expect(await log.describe()).toEqual([]);
  });

  it('leaves out the seals of a chain that began anew, and says so', async () => {
    const log = openLog();
    await log.fill(['e-1', 'e-2']);
    const from = await world.backUp('usage');
    await world.lose('usage', () => true);
    // Another environment, which has no head in memory.
    const later = openLog(log.clock.now());
    await later.seal({ skip: true });
    await later.fill(['e-3']);
    const seals = await log.findSeals();
    const check = await world.restoreJson('--from', from, '--as', 'usage', '--check');
    expect(check['skipped']).toMatchObject({ restarted: 2 });
    const { exitCode, stderr } = await world.restore('--from', from, '--as', 'usage');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('began anew');
    expect(await log.findSeals()).toEqual(seals);
  });

  it('leaves out a head where the table has seals beyond it', async () => {
    const log = openLog();
    await log.fill(['e-1', 'e-2']);
    const from = await world.backUp('usage');
    await log.fill(['e-3']);
    await world.lose('usage', (item) => kindOf(item) === 'SEALS');
    expect((await world.restoreJson('--from', from, '--as', 'usage'))['skipped']).toMatchObject({
      restarted: 2,
    });
    expect(
      (await world.scan(world.dynamoDb.tables.usage)).filter((item) => kindOf(item) === 'SEALS'),
    ).toEqual([]);
  });

  it('leaves out alerts that were unsent then, since they were sent later', async () => {
    const log = openLog();
    await log.putPlain({ pk: 'ALERTS', sk: 'time#1' });
    await log.putPlain({ pk: `ALERTS#${ORGANIZATION}`, sk: 'window#1' });
    const from = await world.backUp('usage');
    await world.lose('usage', () => true);
    expect(await world.restoreJson('--from', from, '--as', 'usage')).toMatchObject({
      restored: 1,
      skipped: { state: 1 },
    });
  });
});
