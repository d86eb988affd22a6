// Any text for property tests: every code point but lone surrogates. fast-check's own unit `binary` takes seconds to make, per file.
import fc from 'fast-check';

const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
);

/** Text of at most so many code points. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.array(codePoint, { maxLength }).map((points) => String.fromCodePoint(...points));
}
