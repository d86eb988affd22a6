// Port to the lines that functions printed, in CloudWatch Logs.

/** Lines that may hold an entry, oldest first within a group; a page at a time. */
export interface LineReader {
  /** Times in milliseconds since the Unix epoch, `toMs` exclusive. */
  read(group: string, fromMs: number, toMs: number): AsyncIterable<string>;
}
