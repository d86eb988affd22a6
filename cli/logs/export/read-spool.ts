// Reads the lines of a spool, or of an export in JSON lines.
import { createReadStream } from 'node:fs';
import { type ExportedEntry, renderLine } from './exported-entry.ts';

/** An entry, and the length of its line in bytes. */
export interface SizedEntry {
  readonly entry: ExportedEntry;
  readonly bytes: number;
}

/** Throws for a line that this service does not write: where a member stands twice, other programs take the first. */
export async function* readSpool(path: string): AsyncGenerator<SizedEntry> {
  for await (const line of linesOfFile(path)) {
    const entry = JSON.parse(line) as ExportedEntry;
    if (renderLine(entry) !== line) throw new Error('the export writes no such line');
    yield { entry, bytes: Buffer.byteLength(line) };
  }
}

/** Only a line feed ends a line. `node:readline` also splits at U+2028, which JSON does not escape. */
export async function* linesOfFile(path: string): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts).toString();
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString();
}
