// `npm run prove:guards -- --sets FOLDER`: every text of public sets at every place, by every surface, whole and streamed, in four processes.
// Fails where a verdict differs or a value gets out; writes docs/proof/guards-corpora.json.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { missingIn } from '../../../../../bench/guards/sets.ts';
import { writeProof } from '../../../../../bench/write-proof.ts';
import type { SetCounts } from './prove-guards-part.ts';

const { sets, stride, each } = parseArgs({
  options: {
    sets: { type: 'string', default: 'sets' },
    /** One of so many texts, evenly drawn; the proof says so. */
    stride: { type: 'string', default: '1' },
    /** Streams of each text in pieces of every size by every surface: some four times the requests. */
    each: { type: 'boolean', default: false },
  },
}).values;

const missing = missingIn(sets);
for (const { folder, url, commit } of missing)
  process.stderr.write(
    `git clone ${url} ${join(sets, folder)} && git -C ${join(sets, folder)} checkout ${commit}\n`,
  );
if (missing.length > 0) throw new Error(`${sets} has not all sets: run the lines above, and then this again`);

const PARTS = 4;
const beganMs = performance.now();
const parts = await Promise.all(Array.from({ length: PARTS }, (_, part) => runPart(part)));

const totals = new Map<string, SetCounts>();
for (const [name, counts] of parts.flatMap((part) => Object.entries(part))) {
  const known = totals.get(name);
  totals.set(name, known === undefined ? counts : add(known, counts));
}
const bySet = Object.fromEntries(totals);
const all = Object.values(bySet).reduce(add);
process.stdout.write(`${JSON.stringify({ ...all, bySet }, null, 2)}\n`);
const seconds = Math.round((performance.now() - beganMs) / 1_000);
if (all.wrong.length > 0) process.exitCode = 1;
else {
  const { wrong: _none, ...counts } = all;
  const drawn = stride === '1' ? {} : { oneTextOf: Number(stride) };
  await writeProof(
    'guards-corpora',
    {
      seconds,
      ...drawn,
      ...(each ? { everySize: true } : {}),
      ...counts,
      differences: 0,
      bySet: withoutLists(bySet),
    },
    ['core/guards', 'core/surfaces', 'lambdas/execute'],
  );
}

function runPart(part: number): Promise<Record<string, SetCounts>> {
  const child = fork(join(import.meta.dirname, 'prove-guards-part.ts'), [
    sets,
    ...[part, PARTS, stride, each ? 'each' : ''].map(String),
  ]);
  return new Promise((resolve, reject) => {
    let counts: Record<string, SetCounts> | undefined;
    child.on('message', (message) => {
      counts = message as Record<string, SetCounts>;
    });
    child.on('exit', (code) =>
      code === 0 && counts !== undefined ? resolve(counts) : reject(new Error(`a part ended with ${code}`)),
    );
  });
}

function add(a: SetCounts, b: SetCounts): SetCounts {
  return {
    texts: a.texts + b.texts,
    withFinds: a.withFinds + b.withFinds,
    finds: a.finds + b.finds,
    requests: a.requests + b.requests,
    streams: a.streams + b.streams,
    wrong: [...a.wrong, ...b.wrong],
  };
}

function withoutLists(sets: Readonly<Record<string, SetCounts>>): object {
  return Object.fromEntries(
    Object.entries(sets).map(([name, { wrong: _none, ...counts }]) => [name, counts]),
  );
}
