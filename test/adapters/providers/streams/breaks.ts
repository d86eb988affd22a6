// The ways in which a stream ends badly, for tests that cut one at every byte; and a text whose characters are easily cut.
import type { StreamedAnswer } from '../stream-http.ts';
import type { Protocol } from './protocols.ts';

/** A family of joined emoji, a flag, CJK beyond the basic plane, combining marks, and line ends. */
export const TEXT = 'a😀👩‍👩‍👧🇩🇪漢字𠮷ñ̃é\r\n\u2028z';

/** A stream that breaks off behind its beginning. */
type Break = (beginning: Buffer, protocol: Protocol) => StreamedAnswer;

/** What follows the bytes before the cut. */
export const BREAKS: Readonly<Record<string, Break>> = {
  reset: (beginning) => ({ pieces: [beginning], failure: 'cut' }),
  'clean close': (beginning) => ({ pieces: [beginning] }),
  stall: (beginning) => ({ pieces: [beginning], stalls: true }),
  'error event': (beginning, { error }) => ({ pieces: [beginning, error] }),
  garbage: (beginning) => ({ pieces: [beginning, Buffer.from([0xff, 0x00, 0xc3, 0x28, 0x0a, 0x0a])] }),
  'the same again': (beginning, { recorded }) => ({ pieces: [beginning, recorded.subarray(0, 40)] }),
};
