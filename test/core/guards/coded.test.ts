// Secrets in base64, hexadecimal and percent signs.
import { describe, expect, it } from 'vitest';
import { secretRecognizer } from '../../../core/guards/secrets/find.ts';

const SECRET = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const findIn = (text: string) => secretRecognizer.find(text).map(({ start, end }) => text.slice(start, end));
const base64 = (text: string) => Buffer.from(text).toString('base64');
const percent = [...`token=${SECRET}`].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

describe('a secret', () => {
  it.each([
    ['base64', base64(`token: ${SECRET}`)],
    ['base64 for URLs', Buffer.from(`ÿÿ? token: ${SECRET}`).toString('base64url')],
    ['base64 of a file', base64(`# für uns\n[github]\ntoken = ${SECRET}\nuser = ann\n`)],
    ['hexadecimal', Buffer.from(SECRET).toString('hex')],
    ['capital hexadecimal', Buffer.from(SECRET).toString('hex').toUpperCase()],
    ['percent signs', percent],
    ['percent signs in an address', `https://a.example/?q=${percent}`],
  ])('in %s is found as a whole run', (_coding, coded) => {
    expect(findIn(`It is ${coded} here`)).toEqual([coded]);
    expect(findIn(coded)).toEqual([coded]);
  });

  it.each([
    ['a text in base64 that has none', base64('The quick brown fox jumps over the lazy dog.')],
    [
      'bytes in base64',
      base64(String.fromCharCode(...Array.from({ length: 90 }, (_, at) => (at * 37) % 256))),
    ],
    ['a digest', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['a secret within bytes', base64(`\u0000\u0001${SECRET}`)],
    ['a broken percent sign', `%zz${percent.slice(3)}%`],
    ['two codings', base64(base64(SECRET))],
    ['a run that is too long', base64(`${'x '.repeat(4_000)}${SECRET}`)],
  ])('is not found in %s', (_what, text) => {
    expect(findIn(text)).toEqual([]);
  });

  it('as it is within a longer run is cut out alone', () => {
    const text = `https://a.example/?token=${SECRET}&next=%2Fhome`;
    expect(findIn(text)).toEqual([SECRET]);
  });

  it.each(['a', '0', '0a', 'A/', '%61', '%', '-'])(
    'is looked for in 100,000 times %j in little time',
    (part) => {
      const text = part.repeat(100_000);
      const before = process.cpuUsage();
      for (const one of [text, `${text} `, `${text}é`, text.slice(0, 8_000)]) expect(findIn(one)).toEqual([]);
      const { user } = process.cpuUsage(before);
      expect(user / 1_000).toBeLessThan(2_000);
    },
  );
});
