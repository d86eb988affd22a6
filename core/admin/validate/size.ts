// Validates how much of a document is stored in one item.

import type { Path } from '../../settings/path.ts';
import { canonicalJson } from '../../text/canonical-json.ts';
import { utf8Bytes } from '../../text/utf8.ts';
import { errorAt, type PartDiagnostic } from '../diagnostic.ts';

/** DynamoDB takes 400 KB an item, names and its own overhead included (ServiceQuotas.html of its developer guide). */
const MAX_STORED_BYTES = 350_000;

/** An error when the value at the path would not fit. */
export function validateSize(path: Path, value: unknown): PartDiagnostic[] {
  const bytes = utf8Bytes(canonicalJson(value));
  if (bytes <= MAX_STORED_BYTES) return [];
  const message = `takes ${bytes} bytes; at most ${MAX_STORED_BYTES} can be stored: shorten its texts`;
  return [errorAt(path, message)];
}
