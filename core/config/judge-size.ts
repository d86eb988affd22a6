// Judges how much of a document is stored in one item.
import { canonicalJson } from './canonical-json.ts';
import { type Finding, findingAt, type Path, type SourceDocument } from './finding.ts';

/** DynamoDB takes 400 KB an item, names and its own overhead included (ServiceQuotas.html of its developer guide). */
export const MAX_STORED_BYTES = 350_000;

/** A refusal when the value would not fit. */
export function judgeSize(source: SourceDocument, path: Path, value: unknown): Finding[] {
  const bytes = new TextEncoder().encode(canonicalJson(value)).length;
  if (bytes <= MAX_STORED_BYTES) return [];
  return [
    findingAt(
      source,
      path,
      `takes ${bytes} bytes; at most ${MAX_STORED_BYTES} can be stored: shorten its texts`,
    ),
  ];
}
