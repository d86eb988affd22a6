// False alarms on texts that nothing was tuned on: each find was read by hand, and one that was not counts as wrong.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf, measureHeldOut, readHeldOut } from '../../bench/guards/held-out.ts';
import { openGuard } from '../../bench/guards/measure.ts';

let sets = '';
beforeEach(() => {
  sets = mkdtempSync(join(tmpdir(), 'held-out-'));
  for (const kind of ['email', 'code', 'table']) {
    const folder = join(sets, 'BIPIA/benchmark', kind);
    mkdirSync(folder, { recursive: true });
    const line = (context: unknown) => `${JSON.stringify({ context, question: 'x' })}\n`;
    writeFileSync(join(folder, 'train.jsonl'), line(`${kind} one`) + line(`${kind} one`));
    writeFileSync(join(folder, 'test.jsonl'), line([kind, 'two']));
  }
});
afterEach(() => rmSync(sets, { recursive: true }));

describe('texts that nothing was tuned on', () => {
  it('are read once each, of every kind', () => {
    expect(readHeldOut(sets)).toEqual(
      ['email', 'code', 'table'].flatMap((kind) => [`${kind} one`, `${kind}\ntwo`]),
    );
  });

  it('count right, wrong and unread finds', () => {
    const guard = openGuard({ type: 'pii', entities: ['email', 'ip'] });
    const judgements = { [digestOf('ann@example.com')]: 'right', [digestOf('10.0.0.1')]: 'wrong' };
    const texts = ['To ann@example.com', 'v 10.0.0.1 by ann@example.com', 'bob@example.com', 'nothing'];
    expect(measureHeldOut(guard, texts, judgements)).toEqual({
      finds: 4,
      wrong: 1,
      unread: 1,
      wrongTexts: 2,
    });
  });
});
