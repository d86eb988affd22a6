// Items of a person as an export shows them.
import { gunzipSync } from 'node:zlib';
import type { PersonalItem } from '../../core/ports/personal-data.ts';
import type { StoredRecord } from '../../core/ports/seals.ts';
import { toExportedEntry } from '../logs/export/exported-entry.ts';
import type { PersonalBlock } from './blocks.ts';

export function toReadableEntry(record: StoredRecord): object {
  return toExportedEntry({ type: 'call', pk: String(record['pk']), sk: String(record['sk']), record });
}

/** Without the operator who set it, who is another person. */
export function toReadableBlock({
  target,
  block: { by: _operator, ...block },
  hasEnded,
}: PersonalBlock): object {
  return { target, ...block, hasEnded };
}

/** A kept answer is packed; a longer one is in several items, which stay as they are. */
export function toReadable({ record }: PersonalItem): object {
  const { answer, parts, ...rest } = record;
  if (parts !== 0 || typeof answer !== 'object' || answer === null || !('$binary' in answer)) return record;
  return { ...rest, answer: unzip(String(answer['$binary'])) ?? answer };
}

/** More than any answer has. */
const MAX_ANSWER_BYTES = 64 * 1_048_576;

function unzip(base64: string): unknown {
  try {
    const text = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_ANSWER_BYTES });
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}
