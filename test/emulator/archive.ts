// An archive in the emulator's S3: what is done to it there is found by the command, which reads it as an operator does.
import { join } from 'node:path';
import { runProgram } from '../e2e/support/command.ts';
import { ACCOUNT, REGION, ROOT_CREDENTIALS } from './emulator.ts';
import type { Check } from './row.ts';
import type { World } from './world.ts';

const BUCKET = 'audit-archive';
const FOLDER = `neuron-archive/${ACCOUNT}/${REGION}/dev`;
const OBJECT = 'chains/org-archived/2026-11-21-0001.jsonl';
const INTACT = /^exit code 0: The archive in \S+ is intact: 15 whole; 2 days, 2 objects,/;

export async function runArchive(world: World): Promise<void> {
  const { aws, environment } = world.emulator;
  let objects: Readonly<Record<string, string>> = {};
  const verify = async () => {
    const { exitCode, stdout, stderr } = await world.neuron([
      ...['logs', 'verify', '--from', `s3://${BUCKET}/${FOLDER}`],
      ...['--first-day', '2026-11-20', '--to', '2026-11-21'],
    ]);
    return `exit code ${exitCode}: ${`${stdout}${stderr}`.trim()}`;
  };
  const put = (name: string, Body: string) =>
    aws('s3', 'put_object', { Bucket: BUCKET, Key: `${FOLDER}/${name}`, Body });
  const edit = (change: (text: string) => string) => {
    const text = objects[OBJECT] ?? '';
    const changed = change(text);
    if (changed === text) throw new Error('nothing was changed');
    return put(OBJECT, changed);
  };
  const remove = (name: string) => aws('s3', 'delete_object', { Bucket: BUCKET, Key: `${FOLDER}/${name}` });
  /** Does it, looks, and puts everything back. */
  const toCheck = ([deed, act, said]: Deed): Check => ({
    name: `archive: ${deed} is found`,
    expected: new RegExp(`^exit code 1: [\\s\\S]*${said}[\\s\\S]*is NOT intact`),
    async observe() {
      await act();
      const seen = await verify();
      for (const [name, body] of Object.entries(objects)) await put(name, body);
      await remove('foreign.txt');
      return seen;
    },
  });
  await world.run([
    {
      name: 'archive: two days are written with their locks',
      expected: '4 objects, GOVERNANCE',
      async observe() {
        await aws('s3', 'create_bucket', {
          Bucket: BUCKET,
          ObjectLockEnabledForBucket: true,
          CreateBucketConfiguration: { LocationConstraint: REGION },
        });
        const words = [join(import.meta.dirname, 'write-archive.ts'), BUCKET, FOLDER];
        const variables = { ...environment, ...ROOT_CREDENTIALS };
        objects = JSON.parse(await runProgram(process.execPath, words, { environment: variables }));
        const { Retention } = (await aws('s3', 'get_object_retention', {
          Bucket: BUCKET,
          Key: `${FOLDER}/${OBJECT}`,
        })) as { readonly Retention: { readonly Mode: string } };
        return `${Object.keys(objects).length} objects, ${Retention.Mode}`;
      },
    },
    { name: 'archive: it is intact', expected: INTACT, observe: verify },
    ...(
      [
        ['an hour that was deleted with its seals', () => edit(withoutFirstSeals), 'seal \\d+ is missing'],
        [
          'a flipped byte',
          () => edit((text) => text.replace('"status":200', '"status":201')),
          'was changed: status',
        ],
        [
          'a day that was deleted',
          async () => {
            for (const name of Object.keys(objects)) if (name.includes('2026-11-20')) await remove(name);
          },
          '2026-11-20 is missing: it has no manifest',
        ],
        ['a foreign file', () => put('foreign.txt', 'x'), 'foreign.txt is foreign'],
      ] satisfies readonly Deed[]
    ).map(toCheck),
    { name: 'archive: it is intact again', expected: INTACT, observe: verify },
  ]);
}

type Deed = [deed: string, act: () => Promise<unknown>, said: string];

/** The second and the third seal of the day, with their entries. */
function withoutFirstSeals(text: string): string {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (line.startsWith('{"seal"') ? [index] : []));
  return lines.toSpliced(starts[1] ?? 0, (starts[3] ?? 0) - (starts[1] ?? 0)).join('\n');
}
