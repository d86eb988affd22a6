// The measuring process: guards of the default set over the pages of this repository. Started with --expose-gc.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActiveGuard } from '../../core/guards/active-guards.ts';
import { percentile } from '../statistics.ts';
import type { GuardFigures } from './cpu.ts';
import { measureCpu, measureStream, openGuard, openHold, textsOf } from './measure.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const PIECE = 4;
const ROUNDS = 20_000;

const pii = openGuard({ type: 'pii', entities: ['email', 'card', 'iban', 'usSsn', 'ip'] });
const both = [pii, openGuard({ type: 'secrets' })];
const withPhrases = [...both, openGuard({ type: 'phrases' })];

const pages = readdirSync(DOCS)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(DOCS, name), 'utf8'));
const plain = pages.map((page) => page.replaceAll(/[^\t\n -~]/g, ''));
const printed = plain.map((page) => page.replaceAll("'", '’').replaceAll('-', '–').replaceAll('...', '…'));

const ten = textsOf(plain, 10_000);
const figures: GuardFigures = {
  tenKb: measureCpu(both, ten),
  hundredKb: measureCpu(both, textsOf(plain, 100_000)),
  printed: measureCpu(both, textsOf(printed, 10_000)),
  phrases: measureCpu(withPhrases, ten),
  stream: measureStream(both, ten),
  firstPiece: measureFirstPiece(both, plain),
  grownKib: measureGrowth(both, ten),
};
process.send?.(figures);
process.disconnect();

/** Pieces that come before the first of an answer leaves, without the one that begins it: answers that begin as paragraphs of the pages do. */
function measureFirstPiece(guards: readonly ActiveGuard[], texts: readonly string[]) {
  const answers = texts.flatMap((page) => page.split('\n\n')).filter((one) => one.length >= 100);
  const waits = answers.map((answer) => {
    const hold = openHold(guards);
    let pieces = 0;
    for (let at = 0; at < answer.length; at += PIECE) {
      if (hold.push(answer.slice(at, at + PIECE)).length > 0) break;
      pieces += 1;
    }
    return pieces;
  });
  const mean = waits.reduce((sum, one) => sum + one, 0) / waits.length;
  return { mean, p99: percentile(waits, 0.99) };
}

/** KiB of the heap after many texts more than after a twentieth of them. */
function measureGrowth(guards: readonly ActiveGuard[], texts: readonly string[]): number {
  let before = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round === ROUNDS / 20) before = heapKib();
    const text = texts[round % texts.length] ?? '';
    for (const guard of guards) guard.find(text);
  }
  return heapKib() - before;
}

function heapKib(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_024;
}
