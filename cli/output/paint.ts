// Colours for terminals.
import { styleText } from 'node:util';

export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

export type Paint = (format: Format, text: string) => string;

/** Returns texts unchanged where it is not active. */
export function createPaint(active: boolean): Paint {
  // The caller decides about colours, since it knows --no-color.
  return (format, text) => (active ? styleText(format, text, { validateStream: false }) : text);
}
