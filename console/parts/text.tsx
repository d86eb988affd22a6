// Shows texts of callers. Characters that could hide, reorder or imitate others are shown as code points.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { JOINERS, UNSAFE_CHARACTERS } from '../../core/text/unsafe-characters.ts';
import { formatNumber } from '../data/format.ts';

/** Characters that are shown at first. A megabyte at once would stop the browser. */
const SHOWN = 20_000;
/** Max. number of marked characters, since each is an element. */
const MAX_MARKS = 2_000;

/** One line: line ends and tabs are shown as code points too. */
export function Line({ text }: { readonly text: string }) {
  return <bdi class="caller">{mark(text, (character) => character !== ' ')}</bdi>;
}

/** Several lines, shown in parts. */
export function Block({
  text,
  label,
  isGrowing,
}: {
  readonly text: string;
  readonly label: string;
  /** More of the text is still to come. */
  readonly isGrowing?: boolean;
}) {
  const [shown, setShown] = useState(SHOWN);
  const rest = text.length - shown;
  const look = isGrowing ? 'block growing' : 'block';
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      <pre class={look} dir="auto" role="region" tabIndex={0} aria-label={label}>
        {mark(text.slice(0, shown).replaceAll('\r\n', '\n'), isUnsafeInBlock)}
      </pre>
      {rest > 0 && (
        <button type="button" class="quiet" onClick={() => setShown(shown * 5)}>
          Show more ({formatNumber(rest)} characters are not shown)
        </button>
      )}
    </>
  );
}

function isUnsafeInBlock(character: string): boolean {
  return character !== '\n' && character !== '\t' && !JOINERS.has(character);
}

function mark(text: string, isMarked: (character: string) => boolean): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { 0: character, index } of text.matchAll(UNSAFE_CHARACTERS)) {
    if (!isMarked(character)) continue;
    if (parts.length >= MAX_MARKS * 2) return [...parts, toPlain(text.slice(at), isMarked)];
    parts.push(text.slice(at, index), <Mark key={index} character={character} />);
    at = index + character.length;
  }
  parts.push(text.slice(at));
  return parts;
}

/** Used where there are too many for elements. */
function toPlain(text: string, isMarked: (character: string) => boolean): string {
  return text.replaceAll(UNSAFE_CHARACTERS, (character) =>
    isMarked(character) ? codePoint(character) : character,
  );
}

function Mark({ character }: { readonly character: string }) {
  return (
    <mark class="unsafe" title="A character that cannot be seen">
      {codePoint(character)}
    </mark>
  );
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
