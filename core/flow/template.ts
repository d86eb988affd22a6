// Fills placeholders such as {{input}} in the texts of a flow. Filled-in text is not searched for placeholders again.

import { ServiceError } from '../contract/service-error.ts';
import { isPlaceholder, PLACEHOLDER, type Placeholder } from '../settings/placeholders.ts';

export type TemplateValues = Readonly<Record<Placeholder, string>> & {
  /** By name; none of them is a placeholder. */
  readonly variables?: ReadonlyMap<string, string>;
};

/**
 * Maximum UTF-16 units of a rendered text. A text may contain `{{input}}` many times: without a maximum, an input could exceed the
 * memory of the function.
 */
export const MAX_RENDERED_LENGTH = 4_000_000;

/**
 * The text with its placeholders filled in one pass; unknown names stay as written. Throws `ServiceError` `input_too_large`
 * when the result would be longer than `MAX_RENDERED_LENGTH`.
 */
export function renderTemplate(text: string, values: TemplateValues): string {
  let length = text.length;
  return text.replace(PLACEHOLDER, (written, name: string) => {
    const value = isPlaceholder(name) ? values[name] : values.variables?.get(name);
    if (value === undefined) return written;
    length += value.length - written.length;
    rejectBeyondLimit(length);
    return value;
  });
}

/** Throws `ServiceError` `input_too_large` for a length beyond `MAX_RENDERED_LENGTH`. */
export function rejectBeyondLimit(length: number): void {
  if (length <= MAX_RENDERED_LENGTH) return;
  throw new ServiceError('input_too_large', {
    reason: `a text of the flow grew beyond ${MAX_RENDERED_LENGTH} characters with the input filled in`,
  });
}
