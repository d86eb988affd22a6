// Judges how much of a document is stored in one item.
import { canonicalJson } from '../../settings/canonical-json.ts';
import { type Diagnostic, diagnosticAt, type Path, type SourceDocument } from '../diagnostic.ts';

/** DynamoDB takes 400 KB an item, names and its own overhead included (ServiceQuotas.html of its developer guide). */
export const MAX_STORED_BYTES = 350_000;

/** A refusal when the value would not fit. */
export function validateSize(source: SourceDocument, path: Path, value: unknown): Diagnostic[] {
  const bytes = new TextEncoder().encode(canonicalJson(value)).length;
  if (bytes <= MAX_STORED_BYTES) return [];
  return [
    diagnosticAt(
      source,
      path,
      `takes ${bytes} bytes; at most ${MAX_STORED_BYTES} can be stored: shorten its texts`,
    ),
  ];
}
