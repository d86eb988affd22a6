// Colours for terminals.
import { styleText } from 'node:util';

/** What a text may look like. */
export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Colours a text, or leaves it. */
export type Paint = (format: Format, text: string) => string;

/** Colours where `active`. */
export function createPaint(active: boolean): Paint {
  // The caller decides whether to use colours, since it knows --no-color.
  return (format, text) => (active ? styleText(format, text, { validateStream: false }) : text);
}
