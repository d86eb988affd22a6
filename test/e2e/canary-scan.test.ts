// The scan for canaries: what it finds, so that finding nothing means something.
import { describe, expect, it } from 'vitest';
import { findLeaks, randomText } from './support/canaries.ts';

const VALUE = 'Zq8vT2mKx9RwL4nBy7CsD1pHf6GjA3eUo5iVtX0k';
const canaries = [{ name: 'the secret', value: VALUE }];
const scan = (bytes: string | Buffer) => findLeaks(canaries, [{ name: 'here', bytes: Buffer.from(bytes) }]);

describe('the scan for canaries', () => {
  it.each<[string, Buffer | string]>([
    ['as it is', `before ${VALUE} after`],
    ['as it is', `cut off: ${VALUE.slice(3, 18)}…`],
    ['as it is', `masked: ****${VALUE.slice(-15)}`],
    ['hexadecimal', Buffer.from(`x${VALUE}`).toString('hex')],
    ['hexadecimal', Buffer.from(VALUE).toString('hex').toUpperCase()],
    ['base64', Buffer.from(VALUE).toString('base64')],
    ['base64', Buffer.from(`a:${VALUE}`).toString('base64')],
    ['base64', Buffer.from(`{"authorization":"Bearer ${VALUE}"}`).toString('base64')],
    ['base64url', Buffer.from(`abcd${VALUE}`).toString('base64url')],
    ['UTF-16', Buffer.from(`text ${VALUE}`, 'utf16le')],
    ['backwards', [...VALUE].reverse().join('')],
  ])('finds a secret %s: %s', (encoding, bytes) => {
    expect(scan(bytes)).toContain(`the secret (${encoding}) in here`);
  });

  it('finds text that JSON or a URL writes in another way', () => {
    const value = 'say "no" & go\\away/ück ÖÄÜ öäü';
    const found = (bytes: string) =>
      findLeaks([{ name: 'the text', value }], [{ name: 'here', bytes: Buffer.from(bytes) }]);
    expect(found(JSON.stringify({ detail: value }))).toContain('the text (JSON) in here');
    expect(found(`?q=${encodeURIComponent(value)}`)).toContain('the text (percent-encoded) in here');
  });

  it('finds nothing where there is nothing, and names every place once', () => {
    expect(scan(`${VALUE.slice(0, 7)} ${randomText().repeat(1000)}`)).toEqual([]);
    const bytes = Buffer.from(`${VALUE} ${VALUE}`);
    expect(
      findLeaks(canaries, [
        { name: 'one', bytes },
        { name: 'two', bytes },
      ]).filter((leak) => leak.includes('as it is')),
    ).toEqual(['the secret (as it is) in one', 'the secret (as it is) in two']);
  });

  it('plants texts that are never the same and long enough to be found in part', () => {
    const texts = Array.from({ length: 100 }, randomText);
    expect(new Set(texts).size).toBe(100);
    for (const text of texts) expect(text).toMatch(/^[0-9A-Za-z]{40}$/);
  });
});
