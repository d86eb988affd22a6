// The erasure of one person among many entries, killed ten times: `npm run prove:erasure`, in .ci/deep.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, ADDRESS, createErasableLog } from '../support/erasable-log.ts';

const ENTRIES = Number(process.env['ERASURE_ENTRIES'] ?? 20_000);
/** Every twentieth entry is of the person. */
const SHARE = 20;
const AT_ONCE = 50;
const KILLS = 10;

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

it(`leaves no byte of her among ${ENTRIES} entries after ${KILLS} kills`, async () => {
  const log = await createErasableLog(dynamoDb, 'large');
  for (let from = 0; from < ENTRIES; from += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, (_, index) => from + index);
    await Promise.all(ids.map((id) => log.putOf(id % SHARE === 0 ? ADA : `user-${id % 7}`, `exec-${id}`)));
    if (from % 1_000 === 0) await log.seal();
  }
  await log.seal();
  await log.clock.advance(60_000);
  const hers = ENTRIES / SHARE;
  const usage = await log.run(['usage', log.slug, '--by', 'neuron', '--json']);
  const words = ['users', 'erase', log.slug, ADA, '--reason', 'request 17', '--yes'];
  const { personalData } = log.ports;
  for (let kill = 0; kill < KILLS; kill += 1) {
    let left = Math.floor(hers / (KILLS + 1));
    const erase: typeof personalData.erase = async (...args) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return personalData.erase(...args);
    };
    expect((await log.run(words, { personalData: { ...personalData, erase } })).exitCode).toBe(1);
  }
  expect((await log.run(words)).exitCode).toBe(0);
  const everything = await log.everything();
  expect(everything).not.toContain(ADA);
  expect(everything).not.toContain(ADDRESS);
  const verified = await log.run(['logs', 'verify', log.slug, '--since', '3d']);
  expect(verified.stdout).toContain(`${hers} of a person erased at `);
  expect(verified.stdout).toContain(`, ${hers} erased;`);
  expect(verified.exitCode).toBe(0);
  const after = await log.run(['usage', log.slug, '--by', 'neuron', '--json']);
  expect(after.stdout).toBe(usage.stdout);
  expect((await log.run(['usage', log.slug, '--verify'])).exitCode).toBe(0);
});
