// The bound of an answer in BUFFERED transfer.
import { describe, expect, it } from 'vitest';
import { rejectTooLarge } from '../../../adapters/apigateway/proxy-answer.ts';

const MEGABYTE = 1024 * 1024;
const answer = (body: string) => ({ statusCode: 200, headers: {}, body });
/** What stands around a body in the result: `{"statusCode":200,"headers":{},"body":""}`. */
const AROUND = 41;

describe('an answer in BUFFERED transfer', () => {
  it('may take 6 MB with everything around its body', () => {
    expect(() => rejectTooLarge(answer('a'.repeat(6 * MEGABYTE - AROUND)))).not.toThrow();
  });

  it('refuses one byte more as 500 internal', () => {
    expect(() => rejectTooLarge(answer('a'.repeat(6 * MEGABYTE - AROUND + 1)))).toThrow(
      expect.objectContaining({ code: 'internal', reason: expect.stringContaining('6291457 bytes') }),
    );
  });

  it('refuses a body of a sixth of that when every character is escaped to six bytes', () => {
    expect(() => rejectTooLarge(answer('\u0001'.repeat(MEGABYTE + 1)))).toThrow('internal');
  });

  it('counts bytes, not characters', () => {
    expect(() => rejectTooLarge(answer('€'.repeat(2 * MEGABYTE + 1)))).toThrow('internal');
  });
});
