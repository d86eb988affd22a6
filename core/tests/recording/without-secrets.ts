// Keeps secrets that a model writes out of recordings, which stand in a repository. The run goes on with the same text.
import { secretRecognizer } from '../../guards/secrets/find.ts';
import type { ModelResult } from '../../ports/providers.ts';
import { isJsonObject } from '../../text/json.ts';

const LABEL = '[SECRET]';

export function withoutSecrets(result: ModelResult): ModelResult {
  return mapTexts(result) as ModelResult;
}

function mapTexts(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(mapTexts);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isSealed(name) ? member : mapTexts(member)]),
  );
}

/** A seal is read by its provider alone, and a change would void it. */
function isSealed(name: string): boolean {
  return name === 'payload' || name === 'id' || name === 'finish' || name === 'type';
}

function redact(text: string): string {
  let [redacted, from] = ['', 0];
  for (const { start, end } of secretRecognizer.find(text).toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    redacted += text.slice(from, start) + LABEL;
    from = end;
  }
  return redacted + text.slice(from);
}
