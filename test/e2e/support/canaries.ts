// Texts planted where secrets are, and a scan that finds them wherever they have flown: whole or in part, as they are or encoded.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret, or a text that nobody may keep. */
export interface Canary {
  /** What leaked, for people. */
  readonly name: string;
  readonly value: string;
}

/** Bytes that are searched. */
export interface Searched {
  /** Where they are, for people. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Pieces of a secret that are looked for: 15 characters in a row, wherever they begin, hold one of them whole. */
const PIECE = 8;

/** Random text that means nothing anywhere else: 40 characters. */
export function randomText(): string {
  return randomBytes(60).toString('base64').replaceAll(/[+/=]/g, '').slice(0, 40).padEnd(40, 'x');
}

/** Every canary that is in the bytes, as `NAME (ENCODING) in PLACE`; each once for each place. */
export function findLeaks(canaries: readonly Canary[], searched: Iterable<Searched>): string[] {
  const needles = canaries.flatMap(needlesOf);
  const leaks = new Set<string>();
  for (const { name: place, bytes } of searched) {
    for (const { name, encoding, needle } of needles) {
      if (bytes.includes(needle)) leaks.add(`${name} (${encoding}) in ${place}`);
    }
  }
  return [...leaks].toSorted();
}

/** All files below a folder, but for those that `isLeftOut` names by their path within it. */
export function readFolder(folder: string, isLeftOut: (path: string) => boolean = () => false): Searched[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !isLeftOut(file.slice(folder.length + 1)))
    .map((file) => ({ name: file, bytes: readFileSync(file) }));
}

interface Needle {
  readonly name: string;
  readonly encoding: string;
  readonly needle: Buffer;
}

function needlesOf({ name, value }: Canary): Needle[] {
  const bytes = Buffer.from(value);
  const encoded: [encoding: string, text: string][] = [
    ['as it is', value],
    ['percent-encoded', encodeURIComponent(value)],
    ['hexadecimal', bytes.toString('hex')],
    ['hexadecimal', bytes.toString('hex').toUpperCase()],
    ['JSON', JSON.stringify(value).slice(1, -1)],
    ['backwards', [...value].reverse().join('')],
    // How many bytes stand before a text decides which characters base64 makes of it.
    ...[0, 1, 2].flatMap((before): [string, string][] =>
      (['base64', 'base64url'] as const).map((kind) => [kind, inBase64(bytes, before, kind)]),
    ),
  ];
  const texts = encoded.flatMap(([encoding, text]) =>
    piecesOf(text).map((piece) => ({ name, encoding, needle: Buffer.from(piece) })),
  );
  const wide = piecesOf(value).map((piece) => ({
    name,
    encoding: 'UTF-16',
    needle: Buffer.from(piece, 'utf16le'),
  }));
  return [...texts, ...wide];
}

/** The characters of base64 that the bytes alone decide. */
function inBase64(bytes: Buffer, before: number, encoding: 'base64' | 'base64url'): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString(encoding)
    .replaceAll('=', '');
  const first = Math.ceil((before * 8) / 6);
  const whole = Math.floor(((before + bytes.length) * 8) / 6);
  return text.slice(first, whole);
}

function piecesOf(text: string): string[] {
  const pieces = [];
  for (let start = 0; start + PIECE <= text.length; start += PIECE)
    pieces.push(text.slice(start, start + PIECE));
  return pieces;
}
