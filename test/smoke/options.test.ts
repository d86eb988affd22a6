// What `npm run smoke` says to whoever asks it wrongly.
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { parseSmokeOptions, type SmokeOptions } from './options.ts';

interface Parsed {
  readonly options?: SmokeOptions;
  readonly exitCode?: number;
  readonly text: string;
}

function parse(...words: string[]): Parsed {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  try {
    return { options: parseSmokeOptions(words, { writeOut: write, writeErr: write }), text };
  } catch (error) {
    if (error instanceof CommanderError) return { exitCode: error.exitCode, text };
    throw error;
  }
}

describe('the options of the smoke checks', () => {
  it('are a URL, and what is usual for the rest', () => {
    expect(parse('--url', 'https://api.example.com/dev')).toEqual({
      options: {
        ...{ url: 'https://api.example.com/dev', transferMode: 'STREAM', calls: 20 },
        ...{ slow: false, interrupt: false, json: false },
      },
      text: '',
    });
  });

  it('are each explained by --help', () => {
    const { exitCode, text } = parse('--help');
    expect(exitCode).toBe(0);
    expect(text).toContain('Usage: npm run smoke -- [options]');
    for (const option of ['url', 'stack', 'local', 'region', 'profile', 'transfer-mode', 'calls', 'slow'])
      expect(text).toMatch(new RegExp(`^ +--${option} .*[a-z]`, 'm'));
  });

  it.each([
    [[], "required option '--url <url>' not specified"],
    [['--url=ftp://x'], 'It must be an http or https URL'],
    [['--url=https://x', '--calls=many'], 'It must be a whole number from 1 to 10000.'],
    [['--url=https://x', '--transfer-mode=stream'], 'Allowed choices are STREAM, BUFFERED.'],
    [['--url=https://x', '--stack=a', '--local=b'], "cannot be used with option '--local <folder>'"],
    [['--url=https://x', '--sloww'], "unknown option '--sloww'"],
    [['--url=https://x', 'y'], 'too many arguments'],
  ])('refuses %j, and says what is wrong and where the help is', (words, message) => {
    const { exitCode, text } = parse(...words);
    expect(exitCode).not.toBe(0);
    expect(text).toContain(message);
    expect(text).toContain('`npm run smoke -- --help` shows every option.');
  });
});
