// Addresses of IP are found wherever they stand, and passwords in URLs where they are no example.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recognizerOf } from '../../../core/guards/pii/forms.ts';
import { secretRecognizer } from '../../../core/guards/secrets/find.ts';

const valuesIn = (recognizer: { find: typeof secretRecognizer.find }, text: string) =>
  recognizer.find(text).map(({ start, end }) => text.slice(start, end));

describe('an IP address', () => {
  const ip = recognizerOf('ip');
  const group = fc.integer({ min: 0x1000, max: 0xffff }).map((one) => one.toString(16));
  const address = fc.oneof(
    fc.ipV4(),
    fc
      .array(group, { minLength: 8, maxLength: 8 })
      .map((groups) => groups.join(':'))
      .filter((one) => /\d/.test(one)),
    fc.constantFrom('fe80::1', '2001:db8::8a2e:370:7334', 'fd12:3456::'),
  );
  const around = fc
    .stringMatching(/^(?:[a-f0-9:.]{0,6}[ (,;][ (]?){0,4}$/)
    .filter((one) => !/[:.]$/.test(one));

  it('is found behind whatever looks like the beginning of one', () => {
    fc.assert(
      fc.property(around, address, fc.constantFrom('', ' ', ', 1.2', ' ::', ' a:b'), (before, one, after) => {
        expect(valuesIn(ip, `${before}${one}${after}`)).toContain(one);
      }),
    );
  });

  it.each(['1', '1.', '1.1', '::', ':a', 'a:', 'ffff:', '1.1.1', '1.1.1.1.', ':::'])(
    'is looked for in 100,000 times %j in little time',
    (part) => {
      const before = process.cpuUsage();
      ip.find(part.repeat(100_000));
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
    },
  );
});

describe('a password in a URL', () => {
  it.each([
    ['mysql://dbuser:s3cr3t-one@db.example.net/app', 'mysql://dbuser:s3cr3t-one'],
    ['jdbc:mysql://dbuser:secrets@db.example.net/app', 'mysql://dbuser:secrets'],
    ['mongodb+srv://dbuser:secret@one@db.example.net', 'mongodb+srv://dbuser:secret@one'],
    ['https://user:secret@a.example', 'https://user:secret'],
    ['https://user:pass@a.example', 'https://user:pass'],
  ])('of %s is found', (text, found) => {
    expect(valuesIn(secretRecognizer, text)).toEqual([found]);
  });

  it.each([
    'mysql://dbuser:secret@db.example.net:3306/app',
    'jdbc:mysql://admin:pass@localhost:3306/app',
    'mongodb+srv://user:SECRET@cluster.example.net/app',
    'postgresql://user:password@db.example.net/app',
    'postgres://user:pass@localhost',
  ])('of %s is an example', (text) => {
    expect(valuesIn(secretRecognizer, text)).toEqual([]);
  });
});
