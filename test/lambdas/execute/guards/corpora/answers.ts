// The texts of an answer, whatever its surface.
import type { Route } from '../../../../../core/contract/routes.ts';

/** Every text of JSON or of events, and those of JSON within a text. */
export function leavesOf(answer: string): readonly string[] {
  if (answer.startsWith('{')) return walk(JSON.parse(answer));
  return eventsOf(answer).flatMap(walk);
}

function walk(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value, ...walk(parsed(value))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(walk);
}

function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function eventsOf(answer: string): readonly unknown[] {
  return answer.split('\n').flatMap((line) => {
    const data = line.startsWith('data: ') ? line.slice(6) : '[DONE]';
    return data === '[DONE]' ? [] : [JSON.parse(data)];
  });
}

/** Where the next piece of text stands in an event. */
const PIECE: Partial<Record<Route['surface'], readonly string[]>> = {
  native: ['text'],
  openai: ['choices', '0', 'delta', 'content'],
  responses: ['delta'],
  anthropic: ['delta', 'text'],
};

/** The text of a stream: its pieces as one. */
export function deltasOf(surface: Route['surface'], answer: string): readonly string[] {
  const path = PIECE[surface] ?? [];
  const pieces = answer.split('\n\n').flatMap((event) => {
    if (surface === 'native' && !event.startsWith('event: delta')) return [];
    if (surface === 'responses' && !event.startsWith('event: response.output_text.delta')) return [];
    return eventsOf(event).map((data) => path.reduce(member, data));
  });
  return [pieces.filter((piece) => typeof piece === 'string').join('')];
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? ((value as Record<string, unknown>)[name] ?? null)
    : null;
}
