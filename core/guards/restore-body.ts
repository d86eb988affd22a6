// Puts masked values into a stored answer: JSON, events with JSON, or a text. Masked values have no character that JSON escapes.
import type { Answer } from '../surfaces/surface.ts';
import type { Placeholders } from './placeholders.ts';
import { restoreText } from './restore.ts';

export function restoreBody(answer: Answer, placeholders: Placeholders): Answer {
  return { ...answer, body: restoreText(answer.body, placeholders) };
}
