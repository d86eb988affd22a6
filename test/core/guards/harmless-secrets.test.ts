// Values in base64 under the name of a secret: what says words of the list of harmless ones, or is encrypted, is none; all others are.
import { describe, expect, it } from 'vitest';
import { secretRecognizer } from '../../../core/guards/secrets/find.ts';

const isFound = (text: string) => secretRecognizer.find(text).length > 0;
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
/** The same bytes each time, none of which is a text. */
const bytes = (length: number) =>
  base64(String.fromCharCode(...Array.from({ length }, (_, index) => (index * 89 + 131) % 256)));

describe('a value in base64', () => {
  it.each([
    ['words of the list', `ANY_KEY = ${base64('dummy text data data data')}`],
    ['forty bytes as a key of AWS', `AWS_SECRET_ACCESS_KEY = ${bytes(40)}`],
  ])('with %s is no secret', (_, text) => {
    expect(isFound(text)).toBe(false);
  });

  it.each([
    ['a name and a password', `ANY_KEY = ${base64('some data:d0694b250bae36')}`],
    ['words that no list has', `ANY_KEY = ${base64('quiet violet rhubarb lizards')}`],
    ['forty bytes under another name', `ANY_KEY = ${bytes(40)}`],
    [
      'a key of AWS as Kubernetes writes it',
      `AWS_SECRET_ACCESS_KEY: ${base64(`wJalrXUtnFEMI${'K7MDENGbPxRfiCYzpLqT'}ab9Rt2x`)}`,
    ],
    ['32 bytes as a key of AWS', `AWS_SECRET_ACCESS_KEY = ${bytes(32)}`],
    ['64 bytes as a key of AWS', `AWS_SECRET_ACCESS_KEY = ${bytes(64)}`],
  ])('with %s is one', (_, text) => {
    expect(isFound(text)).toBe(true);
  });
});
