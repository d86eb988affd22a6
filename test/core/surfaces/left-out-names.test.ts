// Names of members that were left out stand in headers and in the log, and a caller chooses them.
import { describe, expect, it } from 'vitest';
import { toLeftOutName } from '../../../core/surfaces/headers.ts';

describe('the name of a member that was left out', () => {
  it.each([
    'user',
    'prompt_cache_key',
    'chat_template_kwargs',
    'messages[0].cache_control',
    'messages[9999].content[12].reasoningContent',
    'tools[511].function',
    '_private',
    `a${'b'.repeat(31)}`,
  ])('is shown: %s', (name) => {
    expect(toLeftOutName(name)).toBe(name);
  });

  it.each([
    ['empty', ''],
    ['33 characters long', 'a'.repeat(33)],
    ['a key in the wrong place', 'nk_82Sw0cMQEGfUbvE8HduImVhocsRuG9e8sKxdHURI'],
    ['65 characters together', `${'a'.repeat(32)}.${'b'.repeat(32)}`],
    ['a digit first', '1a'],
    ['of two lines', 'a\r\nX-Other: b'],
    ['ended by a line', 'a\n'],
    ['a list of its own', 'a, b'],
    ['in another script', 'имя'],
    ['an empty part', 'a..b'],
    ['an open bracket', 'a['],
    ['a place that is no number', 'a[b]'],
    ['a place of seven digits', 'a[1234567]'],
  ])('is not where it is %s', (_what, name) => {
    expect(toLeftOutName(name)).toBe('unnamed');
  });
});
