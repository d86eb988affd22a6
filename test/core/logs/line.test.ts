// The log line of an entry: one line, no text, and it can always be parsed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { buildEntry } from '../../../core/logs/build-entry.ts';
import { parseLine, parseOpenLine, renderLine, renderOpenLine } from '../../../core/logs/line.ts';
import { anyFacts, entryOf, FACTS } from './entries.ts';

/** What is left of an entry on its line: texts gone, marked as restored. */
function withoutTexts(entry: LogEntry): unknown {
  const trace = entry.trace.map(({ input: _i, output: _o, ...step }) => step);
  const { input: _input, output: _output, ...rest } = entry;
  return JSON.parse(JSON.stringify({ ...rest, trace, restored: true }));
}

describe('a line', () => {
  it('reads back as its entry, marked as restored', () => {
    const entry = entryOf();
    expect(JSON.parse(JSON.stringify(parseLine(renderLine(entry, { stage: 'test' }))))).toEqual(
      withoutTexts(entry),
    );
    expect(parseLine(renderLine(entry, { stage: 'test' }))?.restored).toBe(true);
  });

  it('says what is to be settled and what went wrong with limits, and reads back without it', () => {
    const settle = [
      { key: 'neu-1#user#1m#hash#now', changes: [{ metric: 'tokens', taken: -7, held: -9 }] },
    ] as const;
    const limits = { settle, reservationsExceeded: 1, countersUnavailable: 0 };
    const line = renderLine(entryOf(), { stage: 'test', limits });
    // What did not happen is not in it.
    expect(JSON.parse(line)).toHaveProperty('limits', { settle, reservationsExceeded: 1 });
    expect(parseLine(line)).toEqual(parseLine(renderLine(entryOf(), { stage: 'test' })));
    expect(parseLine(line)).not.toHaveProperty('limits');
  });

  it('of a stream that opens reads back with its time, holds no text and no metric, and is no entry yet', () => {
    const line = renderOpenLine(entryOf(), 123_456);
    expect(JSON.parse(JSON.stringify(parseOpenLine(line)))).toEqual({
      entry: withoutTexts(entryOf()),
      endsByMs: 123_456,
    });
    expect(parseLine(line)).toBeUndefined();
    expect(parseOpenLine(renderLine(entryOf(), { stage: 'test' }))).toBeUndefined();
    expect(line).not.toContain('secret');
    expect(line).not.toContain('_aws');
    expect(parseOpenLine(line.replace('123456', '"x"'))).toBeUndefined();
    expect(parseOpenLine(line.slice(0, -1))).toBeUndefined();
  });

  it('contains neither input nor output nor a text of the trace', () => {
    const line = renderLine(entryOf(), { stage: 'test' });
    expect(line).not.toContain('secret');
    expect(JSON.parse(line)).not.toHaveProperty('restored');
    expect(line).not.toContain('"text"');
    expect(line).toContain('"type":"callModel"');
  });

  it('keeps the patterns and the decision of a step, which come from the settings', () => {
    const step = { type: 'ifInputContains', atMs: 2, input: 'secret', decision: 'then', matched: ['refund'] };
    const entry = entryOf({
      run: {
        version: 'v1',
        cache: 'off',
        executionStopped: false,
        output: '',
        trace: [step],
        modelCalls: [],
      },
    });
    expect(parseLine(renderLine(entry, { stage: 'test' }))?.trace).toEqual([
      { type: 'ifInputContains', atMs: 2, decision: 'then', matched: ['refund'] },
    ]);
  });

  it('of a thousand model calls stays within an event of CloudWatch Logs, says that it was cut, and counts them all', () => {
    const [call] = FACTS.run!.modelCalls;
    const modelCalls = Array.from({ length: 1_000 }, () => ({ ...call!, model: 'm'.repeat(60) }));
    const trace = modelCalls.map((_call, atMs) => ({ type: 'callModel', atMs, decision: 'm'.repeat(60) }));
    const entry = entryOf({ run: { ...FACTS.run!, modelCalls, trace } });
    const line = renderLine(entry, { stage: 'test' });
    expect(Buffer.byteLength(line)).toBeLessThan(256_000);
    expect(JSON.parse(line)).toMatchObject({ 'gen_ai.usage.input_tokens': 3_000, CostMicrodollars: 17_000 });
    const read = parseLine(line);
    expect(read).toMatchObject({ cut: true, tokensInput: 3_000, costMicrodollars: 17_000 });
    expect([read?.modelCalls.length, read?.trace.length]).toEqual([100, 100]);
    expect(renderLine(entryOf(), { stage: 'test' })).not.toContain('"cut"');
  });

  it('is found behind what Lambda or a terminal puts before it', () => {
    const line = renderLine(entryOf(), { stage: 'test' });
    for (const prefix of ['2026-11-21T12:30:00.000Z\t4b1c…\tINFO\t', '[execute] ', '{"level":"INFO"} ']) {
      expect(parseLine(prefix + line)?.executionId).toBe('exec-1');
    }
  });

  it('is found in a line that Lambda has added members to, which are no part of the entry', () => {
    const line = JSON.parse(renderLine(entryOf(), { stage: 'test' })) as object;
    const added = JSON.stringify({ timestamp: '2026-11-21T12:30:00.000Z', level: 'INFO', ...line });
    expect(parseLine(added)).toEqual(parseLine(renderLine(entryOf(), { stage: 'test' })));
    expect(parseLine(added)).not.toHaveProperty('level');
  });

  it('contains no line end, terminal command or invisible character, and parses back to them', () => {
    const username = 'ann\u0085\u009b2J\u007f\u202egnp\u2066\u200b\ufeff\u2028';
    const caller = { ...FACTS.caller, username };
    const line = renderLine(entryOf({ caller }), { stage: 'test' });
    expect(line).toMatch(/^[ -~]+$/);
    expect(parseLine(line)).toMatchObject({ username });
  });

  it('is not seen within the text of another line', () => {
    const quoted = JSON.stringify({ message: renderLine(entryOf(), { stage: 'test' }) });
    expect(parseLine(quoted)).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['a line of Lambda', 'START RequestId: 4b1c Version: $LATEST'],
    ['another JSON line', '{"level":"INFO","message":"neuronEntry"}'],
    ['a line cut in the middle', renderLine(entryOf(), { stage: 'test' }).slice(0, -20)],
    [
      'a line of a format to come',
      renderLine(entryOf(), { stage: 'test' }).replace('"neuronEntry":1', '"neuronEntry":2'),
    ],
    ['a line without its entry', '{"neuronEntry":1,"executionId":"exec-1"}'],
    [
      'a line whose time is text',
      renderLine(entryOf(), { stage: 'test' }).replace('"timeMs":1795264200000', '"timeMs":"now"'),
    ],
    ['a line whose entry is a list', '{"neuronEntry":1,[]}'],
    [
      'a line whose time is no date',
      renderLine(entryOf(), { stage: 'test' }).replace('"timeMs":1795264200000', '"timeMs":8640000000000001'),
    ],
    ['a line without a trace', renderLine(entryOf(), { stage: 'test' }).replace('"trace":', '"other":')],
  ])('is not seen in %s', (_name, line) => {
    expect(parseLine(line)).toBeUndefined();
  });

  it('is one line for every reader, holds no text and reads back, whoever called and whatever was sent', () => {
    fc.assert(
      fc.property(anyFacts, fc.uuid(), (facts, word) => {
        const traced = { type: 'callModel', atMs: 1, input: word, output: word };
        const run = facts.run === undefined ? undefined : { ...facts.run, output: word, trace: [traced] };
        const entry = buildEntry({ ...facts, input: word, run }, (text) => ({
          kind: 'full',
          text,
          bytes: 36,
        }));
        const line = renderLine(entry, { stage: 'test' });
        // Node's readline takes U+2028 and U+2029 for ends of lines besides LF and CR.
        expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(line).not.toContain(word);
        expect(JSON.parse(JSON.stringify(parseLine(`prefix ${line}`)))).toEqual(withoutTexts(entry));
      }),
    );
  });
});
