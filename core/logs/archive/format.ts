// The form of the log's archive: objects of a day and a chain with its seals and their entries, and a manifest of each day.
import { parseJson, toJsonObject } from '../../text/json.ts';

/** The format that this release writes. A release verifies every format ever released. */
export const ARCHIVE_FORMAT = 1;

/** A part is closed at the first seal beyond this. */
export const PART_BYTES = 8 * 1_048_576;

/** One object of a chain, as the manifest of its day describes it. */
export interface ArchivedObject {
  /** Within the folder of the archive. */
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A chain in one day. */
export interface ArchivedChain {
  /** The newest link, as `neuron logs head` prints it. */
  readonly head: string;
  readonly seals: number;
  readonly entries: number;
  /** Entries that were not in the table any more. */
  readonly gone: number;
  readonly objects: readonly ArchivedObject[];
}

/** An archived day, UTC, by the times of the seals. A day is complete when its manifest exists. */
export interface ArchiveManifest {
  readonly archive: number;
  /** `2026-11-27` */
  readonly day: string;
  /** ISO 8601. */
  readonly writtenAt: string;
  readonly chains: Readonly<Record<string, ArchivedChain>>;
}

const MANIFEST_NAME = /^days\/(\d{4}-\d{2}-\d{2})\.json$/;

export function manifestName(day: string): string {
  return `days/${day}.json`;
}

/** The day of such a name; undefined for any other. */
export function dayOfManifest(name: string): string | undefined {
  return MANIFEST_NAME.exec(name)?.[1];
}

/** `part` counts from 1. */
export function partName(chain: string, day: string, part: number): string {
  return `chains/${chain}/${day}-${String(part).padStart(4, '0')}.jsonl`;
}

export function renderManifest(manifest: ArchiveManifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/** Undefined for what is no manifest of the day. */
export function parseManifest(text: string, day: string): ArchiveManifest | undefined {
  const value = toJsonObject(parseJson(text));
  const chains = toJsonObject(value?.['chains']);
  if (value?.['archive'] !== ARCHIVE_FORMAT || value['day'] !== day || chains === undefined) return undefined;
  if (Number.isNaN(Date.parse(String(value['writtenAt'])))) return undefined;
  return Object.values(chains).every(isChain) ? (value as unknown as ArchiveManifest) : undefined;
}

function isChain(value: unknown): boolean {
  const chain = toJsonObject(value);
  const objects = chain?.['objects'];
  return typeof chain?.['head'] === 'string' && Array.isArray(objects) && objects.every(isObject);
}

function isObject(value: unknown): boolean {
  const { name, bytes, sha256 } = toJsonObject(value) ?? {};
  return typeof name === 'string' && Number.isSafeInteger(bytes) && typeof sha256 === 'string';
}
