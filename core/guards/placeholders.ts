// Placeholders of masked values, and back. A placeholder is a function of the value: the same one in every turn and request of a neuron.
import { createHmac } from 'node:crypto';
import type { RestorePlace } from './find.ts';

/** The masks of one request. They are in its memory alone. */
export interface Placeholders {
  /** The placeholder of the value. `restores`: where it may come back, everywhere without it; of several guards where each says so. */
  mask(label: string, value: string, restores?: ReadonlySet<RestorePlace>): string;
  /** Undefined for a placeholder of something that this request did not send, or that does not come back there. */
  valueOf(placeholder: string, where?: RestorePlace): string | undefined;
  /** Where such placeholders stand in a text. */
  spansIn(text: string): readonly { readonly start: number; readonly end: number }[];
  /** True for a text with a placeholder of something that this request did not send. */
  hasForeign(text: string): boolean;
  isEmpty(): boolean;
}

/** RFC 4648, section 6. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 40 bits: two values of a request hardly ever share one, and where they do, the second gets a longer one. */
const LENGTH = 8;

/** Any placeholder, as a model may write it: in small letters, and with escaped brackets. */
export const PLACEHOLDER = /\\?\[([A-Za-z][A-Za-z0-9_]{0,63}_[A-Za-z2-7]{8,32})\\?\]/g;

/** A placeholder in a kept answer that does not come back to its caller; none looks so by itself. */
export const KEPT = /\[KEPT:([A-Z0-9_]+)\]/g;

/** The end of a text that could become one. */
export const OPEN_PLACEHOLDER = /\\?\[?$|\\?\[[A-Za-z][A-Za-z0-9_]{0,97}\\?$/;

interface Masked {
  readonly value: string;
  readonly restores: ReadonlySet<RestorePlace>;
}

const EVERYWHERE: ReadonlySet<RestorePlace> = new Set(['output', 'toolCalls']);

/** `key` is secret: without it no value can be guessed from its placeholder. */
export function createPlaceholders(key: string): Placeholders {
  const values = new Map<string, Masked>();
  return {
    mask(label, value, restores = EVERYWHERE) {
      const digits = toBase32(createHmac('sha256', key).update(`${label}\n${value}`).digest());
      for (let length = LENGTH; ; length += 4) {
        const name = `${label}_${digits.slice(0, length)}`;
        const known = values.get(name);
        if (known !== undefined && known.value !== value) continue;
        values.set(name, { value, restores: known?.restores.intersection(restores) ?? restores });
        return `[${name}]`;
      }
    },
    valueOf(name, where) {
      const known = values.get(name.toUpperCase());
      return where === undefined || known?.restores.has(where) === true ? known?.value : undefined;
    },
    spansIn: (text) =>
      [...text.matchAll(PLACEHOLDER)].flatMap(({ 0: written, 1: name = '', index }) =>
        values.has(name.toUpperCase()) ? [{ start: index, end: index + written.length }] : [],
      ),
    hasForeign: (text) =>
      [...text.matchAll(PLACEHOLDER)].some(([, name = '']) => !values.has(name.toUpperCase())),
    isEmpty: () => values.size === 0,
  };
}

function toBase32(bytes: Uint8Array): string {
  return [...bytes].map((byte) => BASE32[byte & 31]).join('');
}
