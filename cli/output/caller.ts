// Names a caller so that nobody passes for another: the kind is said, and what looks alike is written as code points.
import { printableLine } from './printable.ts';

/** Who called, as far as it is known. */
interface Caller {
  readonly username?: string | undefined;
  readonly keyId?: string | undefined;
  /** Where it is known. */
  readonly keyName?: string | undefined;
  readonly sourceIp?: string | undefined;
}

/** `user alice`, `key k_1` or `address 192.0.2.1`: a user may well be named like a key. Undefined for nobody. */
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
 * Letters of Cyrillic and Greek that look like Latin ones: of a name that has no others it cannot be told whether it is Latin (whole-script
 * confusables, Unicode Technical Standard 39, 4.1).
 */
const LATIN_LOOK_ALIKES = /^[аеорсухіјѕԁһԛԝАВЕЅІЈКМНОРСТУХҮΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυχ]+$/u;
const LETTERS_OF_ONE_SCRIPT = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);

/**
 * A name on one line. It is quoted where it holds white space or quotes, or is empty, so that its ends are seen. Written as code points are
 * white space other than a blank, characters that are forms of others (`ａ`, `𝐚`), and what is not ASCII of a name that mixes alphabets
 * or could be read as a Latin one.
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
