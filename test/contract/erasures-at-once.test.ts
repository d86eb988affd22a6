// Erasures that run at once, and calls that come meanwhile: nobody stays, and the log is intact and adds up.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runWith } from '../cli/memory-ports.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, ADDRESS, createErasableLog } from '../support/erasable-log.ts';

const BOB = 'bob@example.com';

let dynamoDb: TestDynamoDb;
let tests = 0;
let log: Awaited<ReturnType<typeof createErasableLog>>;
beforeEach(async () => {
  dynamoDb = await startDynamoDb();
  tests += 1;
  log = await createErasableLog(dynamoDb, `at-once-${tests}`);
  for (const id of ['a', 'b', 'c']) await log.putOf(ADA, id, { tags: { of: ADA } });
  for (const id of ['d', 'e']) await log.putOf(BOB, id);
  await log.putOf('eve', 'f');
  await log.seal();
  await log.clock.advance(1_000);
});
afterEach(() => dynamoDb.stop());

/** The stream delivers when all runs have ended. */
async function eraseAtOnce(names: readonly string[], ports = log.ports): Promise<readonly string[]> {
  const words = (name: string) => ['users', 'erase', log.slug, name, '--reason', 'request 17', '--yes'];
  const results = await Promise.all(names.map((name) => runWith(ports, words(name))));
  for (const { exitCode, stderr } of results) expect(exitCode, stderr).toBe(0);
  await log.seal();
  await log.clock.advance(1_000);
  return results.map(({ stdout }) => stdout);
}

/** Of the log and of the usage. */
async function expectIntact(erased: number): Promise<void> {
  const verified = await log.run(['logs', 'verify', log.slug, '--since', '2d']);
  expect(verified.stdout).toContain(`, ${erased} erased;`);
  expect(verified.exitCode, verified.stdout).toBe(0);
  const recount = await log.run(['usage', log.slug, '--verify']);
  expect(recount.exitCode, recount.stdout).toBe(0);
}

it.each([2, 3])('%i runs for one name erase what one would', async (runs) => {
  const texts = await eraseAtOnce(Array.from({ length: runs }, () => ADA));
  // Each read the log before any had put its change.
  for (const text of texts) expect(text).toContain('Recorded as chg-');
  const left = await log.everything();
  for (const text of [ADA, ADDRESS]) expect(left).not.toContain(text);
  await expectIntact(3);
});

it('runs for two names, which one tag has, leave neither', async () => {
  for (const [name, id] of [
    [ADA, 'g'],
    [BOB, 'h'],
  ] as const)
    await log.putOf(name, id, { tags: { pair: `${ADA}, ${BOB}` } });
  await log.seal();
  await log.clock.advance(1_000);
  await eraseAtOnce([ADA, BOB]);
  // A run that met the other's rest takes what is left of the tag when it is run again.
  await eraseAtOnce([ADA, BOB]);
  const left = await log.everything();
  for (const text of [ADA, ADDRESS, BOB]) expect(left).not.toContain(text);
  expect(left).toContain('eve');
  await expectIntact(7);
});

it.each([1, 2, 3])(
  'a call of the person that comes after %i entries were erased is erased by the next run',
  async (after) => {
    let erased = 0;
    const { personalData } = log.ports;
    const calling: typeof personalData = {
      ...personalData,
      async erase(...request) {
        const result = await personalData.erase(...request);
        erased += 1;
        if (erased === after) await log.putOf(ADA, `later-${after}`);
        return result;
      },
    };
    await eraseAtOnce([ADA], { ...log.ports, personalData: calling });
    expect(erased).toBe(3);
    expect(await log.everything()).toContain(ADA);
    const meanwhile = await log.run(['logs', 'verify', log.slug, '--since', '2d']);
    expect(meanwhile.exitCode, meanwhile.stdout).toBe(0);
    await eraseAtOnce([ADA]);
    const left = await log.everything();
    for (const text of [ADA, ADDRESS]) expect(left).not.toContain(text);
    await expectIntact(4);
  },
);
