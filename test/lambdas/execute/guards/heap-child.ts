// Serves requests with values that guards take out, then one without, and prints which values the heap of the process still holds.
import { countInHeap, decode } from './count-in-heap.ts';
import { openGuarded } from './function.ts';

/** Base64, so that what is looked for is in no text of this file. */
const VALUES = ['YW5uLmxlZS4=', 'NDExMSAxMTExIDExMTEgMTEx', 'Z2hwXzE2QzdlNDJGMjkyYzY5MTJFNzcx'];
const ENDS = ['QG1haWwuZXhhbXBsZS5jb20=', 'MQ==', 'MGM4MzgzNDdBZTE3OEI0YQ=='];

/** Written anew for each request: the part that is looked for, and a number that makes it another one. */
function writeValue(kind: number, call: number): string {
  return kind === 0
    ? `${decode(VALUES[0])}${call}${decode(ENDS[0])}`
    : decode(VALUES[kind]) + decode(ENDS[kind]);
}

const library = {
  pii: { type: 'pii', entities: ['email', 'card'] },
  secrets: { type: 'secrets' },
};
const on = ['input', 'output', 'toolResults'];

async function serveAll(action: string, isKept: boolean): Promise<void> {
  const guards = [
    { use: 'pii', on: action === 'mask' ? ['input', 'toolResults'] : on, action },
    { use: 'secrets', on, action: action === 'mask' ? 'redact' : action },
  ];
  const model = openGuarded({ library, guards, settings: { caching: { exact: true } } }, (asked) => ({
    text: /\[EMAIL_\w+\]/.exec(asked)?.[0] ?? 'Hi.',
    size: 3,
  }));
  models.push(model);
  for (const call of [0, 1, 2, 3]) {
    const input = `I am ${[0, 1, 2].map((kind) => writeValue(kind, call)).join(', ')}.`;
    const form = { stream: call % 2 === 1, ...(isKept ? { idempotencyKey: `key-${call}` } : {}) };
    await model.call({ input }, form);
    await model.call({ input }, form);
  }
  await model.call({ input: 'Nothing of that kind.' });
}

/** The functions stay as warm as they are in an environment. */
const models: ReturnType<typeof openGuarded>[] = [];

const held = process.argv.includes('--held') ? [writeValue(0, 9)] : [];
for (const action of ['redact', 'mask', 'block'])
  for (const isKept of [false, true]) await serveAll(action, isKept);
const counts = await countInHeap(VALUES);
process.stdout.write(`${JSON.stringify({ counts, answered: models.length, held: held.length })}\n`);
