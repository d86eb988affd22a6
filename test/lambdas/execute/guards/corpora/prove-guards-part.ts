// A part of the texts: each that is `part` modulo `parts` in its set.
import { readBenign, readGitleaks, readPresidio, readSecretlint } from '../../../../../bench/guards/sets.ts';
import { tryCase } from './try-case.ts';

export interface SetCounts {
  readonly texts: number;
  readonly withFinds: number;
  readonly finds: number;
  readonly requests: number;
  readonly streams: number;
  /** By set and number, at most so many as are read. */
  readonly wrong: readonly string[];
}

const [sets = '', part = '0', parts = '1', stride = '1', each = ''] = process.argv.slice(2);
const MAX_LISTED = 50;

/** gitleaks has hundreds of drawn samples of one form: so many of each rule, and every harmless one. */
const PER_RULE = 5;

function someOfEachRule(): readonly string[] {
  const taken = new Map<string, number>();
  return readGitleaks(sets).texts.flatMap(({ text, isBad, rule }) => {
    const before = taken.get(rule) ?? 0;
    if (isBad) taken.set(rule, before + 1);
    return isBad && before >= PER_RULE ? [] : [text];
  });
}

const corpora = {
  'presidio-research': readPresidio(sets).map(({ text }) => text),
  gitleaks: someOfEachRule(),
  secretlint: readSecretlint(sets).map(({ text }) => text),
  InjecGuard: readBenign(sets),
};

const counts: Record<string, SetCounts> = {};
for (const [name, texts] of Object.entries(corpora)) {
  const count = { texts: 0, withFinds: 0, finds: 0, requests: 0, streams: 0, wrong: [] as string[] };
  for (const [index, text] of texts.entries()) {
    // Nobody sends an empty text: embeddings reject it.
    if (text === '') continue;
    if (index % Number(stride) !== 0 || (index / Number(stride)) % Number(parts) !== Number(part)) continue;
    const { finds, requests, streams, wrong } = await tryCase(text, index, each !== '');
    count.texts += 1;
    count.withFinds += finds > 0 ? 1 : 0;
    count.finds += finds;
    count.requests += requests;
    count.streams += streams;
    count.wrong.push(...wrong.slice(0, MAX_LISTED).map((one) => `${name} ${index}: ${one}`));
    if (wrong.length > 0) process.stderr.write(`${name} ${index}: ${wrong[0]}\n`);
  }
  counts[name] = count;
  process.stderr.write(`${name}: ${count.texts} texts in part ${part}\n`);
}
process.send?.(counts);
process.disconnect?.();
