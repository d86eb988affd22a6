// Serves requests whose values guards by services take out, then one without, and prints what of them the heap of the process still holds.
import { Buffer } from 'node:buffer';
import { createGuardServices } from '../../../../adapters/guards/index.ts';
import type { OpenHttp } from '../../../../adapters/http/message.ts';
import { readingWhole } from '../../../../adapters/http/read-whole.ts';
import { createStreamHttp } from '../../../adapters/providers/stream-http.ts';
import { countInHeap, decode } from './count-in-heap.ts';
import { openGuarded } from './function.ts';

/** A name, and the HMAC secret of the webhook. */
const NAME = 'WmVidWxvbiBRdWlnbGV5';
const SECRET = 'eWVsbG93LWhtYWMtd29yZHM=';

const FIND = /Z\w{6} Q\w{6} \d+/g;

function findsIn(text: string) {
  return [...text.matchAll(FIND)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}

/** A webhook, Presidio and a model that moderates, told apart by what they are asked. */
const guardHttp: OpenHttp = (request) => {
  const asked = JSON.parse(String(request.body)) as {
    readonly texts?: readonly { readonly text: string }[];
    readonly text?: string;
    readonly input?: readonly string[];
  };
  return createStreamHttp({ headers: {}, pieces: [JSON.stringify(answerTo(asked))] }).openHttp(request);
};

function answerTo({ texts, text, input }: Parameters<typeof JSON.stringify>[0]) {
  if (text !== undefined)
    return findsIn(text).map((place) => ({ entity_type: 'PERSON', score: 0.9, ...place }));
  if (input !== undefined)
    return { results: input.map(() => ({ flagged: false, categories: {}, category_scores: {} })) };
  const finds = texts.flatMap((one: { readonly text: string }, at: number) =>
    findsIn(one.text).map((place) => ({ type: 'NAME', text: at, ...place })),
  );
  return finds.length === 0 ? { verdict: 'pass' } : { verdict: 'block', finds };
}

const library = {
  ours: { type: 'webhook', endpoint: 'https://guard.example.com/', secret: { secret: 'guard-hmac' } },
  names: { type: 'presidio', endpoint: 'https://presidio.example.com', entities: ['PERSON'] },
  moderate: { type: 'openaiModeration', provider: 'model' },
};

/** Functions stay as warm as they are in an environment. */
const models: ReturnType<typeof openGuarded>[] = [];
const masks: string[] = [];

async function serveAll(action: string): Promise<void> {
  const guards = ['ours', 'names', 'moderate'].map((use) => ({
    use,
    on: ['input', 'output'],
    action: use === 'moderate' ? 'flag' : action,
  }));
  const inputs = guards.map((guard) => (action === 'mask' ? { ...guard, on: ['input'] } : guard));
  const model = openGuarded({ library, guards: inputs, guardHttp }, (asked) => ({
    text: /\[(?:OURS|NAMES)_\w+\]/.exec(asked)?.[0] ?? 'Hi.',
    size: 3,
  }));
  models.push(model);
  const secrets = { read: async () => decode(SECRET) };
  const openGuard = createGuardServices({ secrets, http: readingWhole(guardHttp), clock: model.clock });
  Object.assign(model.ports, { openGuard });
  for (let call = 0; call < 4; call += 1)
    await model.call({ input: `I am ${decode(NAME)} ${call}.` }, { stream: call % 2 === 1 });
  for (const [mask] of model.asked.join('').matchAll(/(?:OURS|NAMES)_[A-Z2-7]{8}/g))
    masks.push(Buffer.from(mask).toString('base64'));
  await model.call({ input: 'Nothing of that kind.' });
  // The stores and the model of the test remember everything; a function has neither.
  for (const list of [model.asked, model.entries, model.lines, model.stored]) list.length = 0;
}

const isHeld = process.argv.includes('--held');
for (const action of ['redact', 'mask', 'block']) await serveAll(action);
const held = isHeld ? [`${decode(NAME)} 9`, decode(SECRET), ...masks.map(decode)] : [];
const [names = 0, secrets = 0, ...ofMasks] = await countInHeap([NAME, SECRET, ...new Set(masks)]);
const answered = models.length;
const masked = ofMasks.length;
const found = ofMasks.filter((count) => count > 0).length;
process.stdout.write(`${JSON.stringify({ names, secrets, found, masked, answered, held: held.length })}\n`);
