// The count of tokens is never too low, and close to the largest of the vocabularies that vendors published.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Conversation, conversationOf } from '../../../core/conversation/conversation.ts';
import { countImageTokens, countTokens } from '../../../core/conversation/count-tokens.ts';
import { countTextTokens } from '../../../core/conversation/text-tokens.ts';

interface Counted {
  readonly name: string;
  readonly text: string;
  readonly o200k: number;
  readonly cl100k: number;
  readonly claude2: number;
}
const { texts } = JSON.parse(readFileSync(new URL('token-corpus.json', import.meta.url), 'utf8')) as {
  readonly texts: readonly Counted[];
};

describe('the tokens of a text', () => {
  it.each(texts)('of $name are at least those of each vocabulary, and at most 1.3 times the most', (one) => {
    const most = Math.max(one.o200k, one.cl100k, one.claude2);
    const counted = countTextTokens(one.text);
    expect(counted).toBeGreaterThanOrEqual(most);
    expect(counted / most).toBeLessThanOrEqual(1.3);
  });

  it('are at least one for each character that no vocabulary joins, and as many as its bytes at most', () => {
    for (const text of [
      '\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35',
      '\ud83d\udc69\u200d\ud83d\udcbb',
      '\u16a0\u16a2',
      '\ud800',
      '\u0000\u0007',
    ]) {
      const counted = countTextTokens(text);
      expect(counted).toBeGreaterThanOrEqual([...text].length);
      expect(counted).toBeLessThanOrEqual(Buffer.byteLength(text));
    }
    expect(countTextTokens('')).toBe(0);
  });

  it('takes a time that grows with the text', () => {
    const timeOf = (text: string) => {
      const started = performance.now();
      countTextTokens(text);
      return performance.now() - started;
    };
    const texts = ['a', ' ', '-', '\n', '0', '\u00fc', 'a1B-', '\u4e00', '    \n'];
    // 400,000 characters take some 40 ms; a count that looks back at each of them would take hours.
    for (const text of texts) expect(timeOf(text.repeat(100_000))).toBeLessThan(2_000);
  });
});

const image = (data: Buffer, mediaType = 'image/png') => ({ mediaType, data: data.toString('base64') });

/** The head of a PNG (RFC 2083, 4.1.1). */
function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(33);
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

describe('the tokens of an image', () => {
  it('are its pixels by 750, as Anthropic counts', () => {
    // From the table of the vendor's page: 1000 x 1000 are about 1,334.
    expect(countImageTokens(image(png(1000, 1000)))).toBe(1334);
    expect(countImageTokens(image(png(10, 10)))).toBe(85);
    expect(countImageTokens(image(png(20_000, 20_000)))).toBe(4784);
    const gif = Buffer.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0xe8, 3, 0xe8, 3]);
    expect(countImageTokens(image(gif, 'image/gif'))).toBe(1334);
    const jpeg = Buffer.from([
      ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0],
      ...[0xff, 0xc0, 0, 11, 8, 3, 0xe8, 3, 0xe8, 1, 1, 0x11, 0],
    ]);
    expect(countImageTokens(image(jpeg, 'image/jpeg'))).toBe(1334);
  });

  it('are those of the largest where the size cannot be read', () => {
    for (const one of [
      undefined,
      image(Buffer.alloc(4)),
      image(png(0, 10)),
      image(Buffer.from([0xff, 0xd8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 'image/jpeg'),
      image(Buffer.alloc(0), 'image/jpeg'),
      image(Buffer.alloc(40), 'image/webp'),
    ]) {
      expect(countImageTokens(one)).toBe(4784);
    }
  });
});

describe('the tokens of a conversation', () => {
  const base = conversationOf('Hello');
  const more = (members: Partial<Conversation>) => countTokens({ ...base, ...members }) - countTokens(base);
  it('grow with each of its parts', () => {
    // Eight around each part, and the words in it.
    expect(countTokens(base)).toBe(8 + 8 + 1);
    expect(more({ system: [{ text: 'Be brief.' }] })).toBeGreaterThanOrEqual(8 + 3);
    expect(more({ tools: [{ name: 'look', parameters: { type: 'object' } }] })).toBeGreaterThanOrEqual(
      350 + 8,
    );
    expect(more({ schema: { name: 'o', schema: { type: 'object' } } })).toBeGreaterThanOrEqual(8 + 5);
    const messages: Conversation['messages'] = [
      ...base.messages,
      {
        role: 'assistant',
        blocks: [
          {
            type: 'reasoning',
            reasoning: { origin: 'anthropic', model: 'm', text: 'Hm.', payload: 'x'.repeat(999) },
          },
          { type: 'reasoning', reasoning: { origin: 'anthropic', model: 'm', payload: 'x'.repeat(500) } },
          { type: 'text', text: 'Let me look.' },
          { type: 'toolCall', call: { id: 'call_1', name: 'look', arguments: { at: 'door' } } },
        ],
      },
      {
        role: 'tool',
        toolCallId: 'call_1',
        content: [{ type: 'image', mediaType: 'image/png', data: image(png(1000, 1000)).data }],
      },
      { role: 'system', text: 'Go on.' },
      { role: 'user', content: [{ type: 'document', mediaType: 'application/pdf', data: 'JVBERi0x' }] },
    ];
    const counted = more({ messages });
    expect(counted).toBeGreaterThanOrEqual(500 + 1334 + 24_000);
    expect(counted).toBeLessThan(500 + 1334 + 24_000 + 150);
  });
});
