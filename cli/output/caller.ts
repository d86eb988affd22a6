// Names a caller so that none can pass for another: with its kind, and with look-alike characters as code points.
import { printableLine } from './printable.ts';

interface Caller {
  readonly username?: string | undefined;
  readonly keyId?: string | undefined;
  readonly keyName?: string | undefined;
  readonly sourceIp?: string | undefined;
}

/** `user alice`, `key k_1` or `address 192.0.2.1`, since a user may be named like a key. Undefined for no caller. */
export function renderCaller({ username, keyId, keyName, sourceIp }: Caller): string | undefined {
  if (username !== undefined) return `user ${renderName(username)}`;
  if (keyId !== undefined) return `key ${renderKey(keyId, keyName)}`;
  return sourceIp === undefined ? undefined : `address ${sourceIp}`;
}

/** `k_1 (back-end)`, or the id alone. */
export function renderKey(keyId: string, keyName: string | undefined): string {
  return keyName === undefined ? keyId : `${keyId} (${renderName(keyName)})`;
}

/**
 * Cyrillic and Greek letters that look like Latin ones. A name of nothing else could be read as Latin (whole-script confusables, Unicode
 * Technical Standard 39, 4.1).
 */
const LATIN_LOOK_ALIKES = /^[аеорсухіјѕԁһԛԝАВЕЅІЈКМНОРСТУХҮΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυχ]+$/u;
const LETTERS_OF_ONE_SCRIPT = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);

/**
 * A name on one line. It is quoted where it has white space or quotes or is empty, so that its ends are visible. Code points stand for
 * white space other than a blank, for forms of other characters (`ａ`, `𝐚`), and for letters that are not ASCII in a name that mixes
 * alphabets or could be read as a Latin one.
 */
export function renderName(name: string): string {
  const letters = name.replaceAll(/\P{L}/gu, '');
  const isMixed = LETTERS_OF_ONE_SCRIPT.filter((script) => script.test(letters)).length > 1;
  const hidesLetters = isMixed || LATIN_LOOK_ALIKES.test(letters);
  const visible = [...name].map((character) => {
    const isForm = character.normalize('NFKC') !== character.normalize('NFC');
    const isBlank = /\s/u.test(character) && character !== ' ';
    const isHidden = hidesLetters && character > '~' && /\p{L}|\p{M}/u.test(character);
    return isForm || isBlank || isHidden ? codePoint(character) : printableLine(character);
  });
  const text = visible.join('');
  return /^$|[\s"]/u.test(text) ? `"${text.replaceAll('"', '\\"')}"` : text;
}

function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`;
}

/** `team=shop, app=web` */
export function renderTags(tags: Readonly<Record<string, string>>): string {
  return Object.entries(tags)
    .map(([name, value]) => printableLine(`${name}=${value}`))
    .join(', ');
}
