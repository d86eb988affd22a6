// The options of `npm start` where two of them meet, or one is given twice.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseStartOptions } from '../../bin/start/options.ts';

afterEach(() => void vi.restoreAllMocks());

function parse(...words: readonly string[]) {
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  try {
    const options = parseStartOptions(words);
    return { options, text: printed.mock.calls.map(([text]) => String(text)).join('') };
  } finally {
    exit.mockRestore();
    printed.mockRestore();
  }
}

describe('the options of npm start', () => {
  it('say that --ephemeral wins over --data, and only where both are given', () => {
    const { options, text } = parse('--data', 'kept', '--ephemeral');
    expect(options.ephemeral).toBe(true);
    expect(text).toBe('--ephemeral wins over --data: kept is not used, and all data is deleted on stop.\n');
    expect(parse('--ephemeral').text).toBe('');
    expect(parse('--data', 'kept').text).toBe('');
  });

  it('take --apply several times, the examples without it, and nothing for none', () => {
    expect(parse('--apply', 'a.yaml', '--apply', 'b/').options.apply).toEqual(['a.yaml', 'b/']);
    expect(parse().options.apply).toEqual(['examples/']);
    expect(parse('--apply', 'none').options.apply).toEqual([]);
  });

  it.each([
    ['--apply', ''],
    ['--apply', 'none', '--apply', 'a.yaml'],
    ['--apply', 'a.yaml', '--apply', 'none'],
    ['--stage', 'production'],
  ])('reject %s %s %s %s', (...words) => {
    expect(() => parse(...words)).toThrow('exit 2');
  });
});
