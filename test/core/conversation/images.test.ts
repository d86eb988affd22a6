// Images are data of the request: checked here, fetched never.
import { describe, expect, it } from 'vitest';
import { parseInvocation } from '../../../core/surfaces/native/parse.ts';
import { IMAGES } from '../../support/any-conversation.ts';
import { rejected } from './refused.ts';

const PNG = IMAGES['image/png'];
const image = (url: unknown, more: object = {}) => ({ type: 'image_url', image_url: { url, ...more } });
const ask = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const at = (path: string, text: string) => `invalid_input: "messages[0].content[${path}" ${text}`;

/** A PNG by its first bytes, of so many bytes in all. */
function pngOf(bytes: number): string {
  const data = Buffer.alloc(bytes);
  Buffer.from(PNG, 'base64').copy(data);
  return `data:image/png;base64,${data.toString('base64')}`;
}

describe('an image', () => {
  const FETCHED = 'must be a data URL such as data:image/png;base64,…, or an https address.';
  const PUBLIC = 'must be a data URL, or an https address of a public name with at most 2048 characters.';
  const TYPES = 'must be an image of type image/png, image/jpeg, image/gif, image/webp.';
  const BASE64 = 'must hold base64 with its padding.';

  it.each<[string, string, unknown]>([
    ['an address without TLS', PUBLIC, 'http://example.com/a.png'],
    ['an address of this network', PUBLIC, 'http://169.254.169.254/latest/meta-data/'],
    ['an address in numbers', PUBLIC, 'https://169.254.169.254/latest/meta-data/'],
    ['an address in one number', PUBLIC, 'https://2852039166/'],
    ['an address in numbers of IPv6', PUBLIC, 'https://[::1]/a.png'],
    ['this machine', PUBLIC, 'https://localhost/a.png'],
    ['a name of a private network', PUBLIC, 'https://metadata.google.internal/a.png'],
    ['a name of a private network with a dot', PUBLIC, 'https://db.local./a.png'],
    ['a short name', PUBLIC, 'https://intranet/a.png'],
    ['an address with a password', PUBLIC, 'https://ann:secret@example.com/a.png'],
    ['an address that is no URL', PUBLIC, 'https://'],
    ['a very long address', PUBLIC, `https://example.com/${'a'.repeat(2_048)}`],
    ['a file', FETCHED, 'file:///etc/passwd'],
    ['a data URL that is no base64', FETCHED, 'data:image/png,abc'],
    ['a data URL with parameters', FETCHED, `data:image/png;charset=utf-8;base64,${PNG}`],
    ['nothing', FETCHED, ''],
    [
      'SVG, which is a program',
      TYPES,
      `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`,
    ],
    ['a PDF', TYPES, 'data:application/pdf;base64,JVBERi0='],
    ['TIFF', TYPES, 'data:image/tiff;base64,SUkqAA=='],
    ['no data', BASE64, 'data:image/png;base64,'],
    ['characters that base64 has not', BASE64, `data:image/png;base64,${PNG.slice(0, -1)}!`],
    ['base64 for URLs', BASE64, 'data:image/png;base64,iVBORw0KGg__'],
    ['white space', BASE64, `data:image/png;base64,${PNG.slice(0, 4)}\n${PNG.slice(4)}`],
    ['base64 without its padding', BASE64, `data:image/png;base64,${PNG}AA`],
    ['padding in its midst', BASE64, `data:image/png;base64,AA==${PNG}`],
    [
      'a JPEG that says PNG',
      'must hold an image of the type that it names, image/png.',
      `data:image/png;base64,${IMAGES['image/jpeg']}`,
    ],
    [
      'text that says PNG',
      'must hold an image of the type that it names, image/png.',
      'data:image/png;base64,SGVsbG8=',
    ],
    [
      'a sound that says WebP',
      'must hold an image of the type that it names, image/webp.',
      `data:image/webp;base64,${Buffer.from('RIFF\x04\x00\x00\x00WAVEfmt ').toString('base64')}`,
    ],
    ['5 MB', 'must be an image of at most 3750000 bytes.', pngOf(5_000_000)],
    ['one byte too many', 'must be an image of at most 3750000 bytes.', pngOf(3_750_001)],
    ['a number', 'must be a text.', 7],
  ])('is refused that is %s', (_what, text, url) => {
    expect(rejected(ask(image(url)))).toBe(at('0].image_url.url', text));
  });

  it.each(['data:image/PNG;base64,', 'DATA:Image/Png;BASE64,'])(
    'is taken as %s, whatever the case',
    (head) => {
      const body = JSON.stringify(ask(image(`${head}${PNG}`)));
      const { conversation } = parseInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, 1_000);
      expect(conversation.messages).toEqual([
        { role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: PNG }] },
      ]);
    },
  );

  it('is refused with a detail that is none, and without an address', () => {
    const url = `data:image/png;base64,${PNG}`;
    expect(rejected(ask(image(url, { detail: 'max' })))).toBe(
      at('0].image_url.detail', 'must be one of auto, low, high.'),
    );
    expect(rejected(ask({ type: 'image_url', image_url: {} }))).toBe(at('0].image_url.url', 'is missing.'));
  });

  it('is taken by its address, for a provider to fetch', () => {
    const body = JSON.stringify(ask(image('https://example.com/a b.png', { detail: 'low' })));
    const { conversation } = parseInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, 1_000);
    expect(conversation.messages).toEqual([
      {
        role: 'user',
        content: [{ type: 'imageAddress', url: 'https://example.com/a%20b.png', detail: 'low' }],
      },
    ]);
  });

  it('is refused as the 21st of a conversation', () => {
    const images = Array.from({ length: 25 }, () => image(`data:image/png;base64,${PNG}`));
    expect(rejected(ask(...images))).toBe(at('20]', 'must not be: a conversation has at most 20 images.'));
    const two = {
      messages: [
        ask(...images.slice(0, 20)).messages[0],
        ...ask(image(`data:image/png;base64,${PNG}`)).messages,
      ],
    };
    expect(rejected(two)).toBe(
      'invalid_input: "messages[1].content[0]" must not be: a conversation has at most 20 images.',
    );
  });

  it('quotes nothing of what was sent in its error', () => {
    expect(rejected(ask(image('http://secret.example.com/canary.png')))).not.toContain('canary');
    expect(rejected(ask(image('data:image/canary;base64,AAAA')))).not.toContain('canary');
  });

  it('of each type and of the largest size is taken, and is no text that counts', () => {
    for (const [mediaType, data] of Object.entries(IMAGES)) {
      const body = JSON.stringify(ask(image(`data:${mediaType};base64,${data}`, { detail: 'high' })));
      const { conversation } = parseInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, 1);
      expect(conversation.messages).toEqual([
        { role: 'user', content: [{ type: 'image', mediaType, data, detail: 'high' }] },
      ]);
    }
    const body = JSON.stringify(ask(image(pngOf(3_750_000))));
    expect(() => parseInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, 1)).not.toThrow();
  });
});
