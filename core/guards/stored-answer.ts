// The answer that an idempotency key keeps: with placeholders, and with a sign at those that do not come back to the caller.
import { EVENT_STREAM, toEventData } from '../surfaces/event-stream.ts';
import type { Answer } from '../surfaces/surface.ts';
import { parseExactJson } from '../text/exact-json.ts';
import { isJsonObject } from '../text/json.ts';
import { mapJson } from './map-json.ts';
import { KEPT, type Placeholders } from './placeholders.ts';
import { restoreText } from './restore.ts';

/** Such an answer as the same request gets it again. */
export function restoreStoredAnswer(answer: Answer, placeholders: Placeholders): Answer {
  const restore = (text: string): string =>
    restoreText(text, { placeholders }).replace(KEPT, (written, name: string) =>
      placeholders.valueOf(name) === undefined ? written : `[${name}]`,
    );
  const type =
    Object.entries(answer.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return {
    ...answer,
    body: type.startsWith(EVENT_STREAM)
      ? restoreEvents(answer.body, restore)
      : restoreJson(answer.body, restore),
  };
}

const DATA = 'data: ';

function restoreEvents(body: string, restore: (text: string) => string): string {
  const restoreLine = (line: string): string =>
    line.startsWith(DATA) ? DATA + toEventData(restoreJson(line.slice(DATA.length), restore)) : line;
  return body.split('\n').map(restoreLine).join('\n');
}

/** JSON by its texts; anything else as a text. */
function restoreJson(text: string, restore: (text: string) => string): string {
  const value = parseExactJson(text);
  if (!isJsonObject(value)) return restore(text);
  const restored = mapJson(value, restore);
  return restored === value ? text : JSON.stringify(restored);
}
