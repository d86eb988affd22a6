// Counts finds for the log: their kinds and numbers, never a value or a place.
import { createHmac } from 'node:crypto';
import type { LoggedGuard } from '../contract/log-entry.ts';
import type { Stage } from '../settings/guards/guards-schema.ts';
import type { ActiveGuard } from './active-guards.ts';
import type { Find } from './find.ts';

/** Where a text stands. `message` is the index among the turns. */
export interface Place {
  readonly stage: Stage;
  readonly message?: number | undefined;
  /** Variables whose values the texts are, text by text. */
  readonly variables?: readonly (string | undefined)[];
  /** The variable in which something was found. */
  readonly variable?: string;
}

/** The place with the variable whose value has the character `at` of all its texts as one. */
export function locate(place: Place, texts: readonly string[], at: number): Place {
  const { variables = [], ...rest } = place;
  let end = 0;
  const index = texts.findIndex((text) => {
    end += text.length;
    return at < end;
  });
  const variable = variables[index];
  return variable === undefined ? rest : { ...rest, variable };
}

export interface FindCounts {
  /** `text`: where the finds stand. */
  add(guard: ActiveGuard, place: Place, finds: readonly Find[], text: string): void;
  list(): readonly LoggedGuard[];
}

/** Entries by guard, stage and turn; beyond them what guards find is counted without its turn. */
const MAX_TURNS = 100;
/** Values of one kind at one place that are told apart. */
const MAX_FINGERPRINTS = 10;
/** The same for all of a request. */
const MAX_ALL_FINGERPRINTS = 200;

/** A keyed digest of a value, the same for equal ones; without the key nobody can guess it. 64 bits. */
export function createFingerprint(key: string): Fingerprint {
  return (entity, value) =>
    createHmac('sha256', key).update(`${entity}\n${value}`).digest('hex').slice(0, 16);
}

export type Fingerprint = (entity: string, value: string) => string;

interface Kind {
  count: number;
  readonly fingerprints: Set<string>;
}

/** `fingerprint` is called for guards that ask for it. */
export function createFindCounts(fingerprint?: Fingerprint): FindCounts {
  let left = MAX_ALL_FINGERPRINTS;
  const fingerprintOf = (guard: ActiveGuard, find: Find, text: string): string | undefined =>
    guard.hasFingerprints && left > 0
      ? fingerprint?.(find.entity, text.slice(find.start, find.end))
      : undefined;
  const counted = new Map<string, LoggedGuard & { readonly kinds: Map<string, Kind> }>();
  return {
    add(guard, { stage, message: turn }, finds, text) {
      if (finds.length === 0) return;
      const { name, type, action } = guard;
      const keyOf = (message: number | undefined) => JSON.stringify([name, action, stage, message]);
      const message = counted.has(keyOf(turn)) || counted.size < MAX_TURNS ? turn : undefined;
      const key = keyOf(message);
      const known = counted.get(key) ?? {
        guard: name,
        type,
        stage,
        ...(message === undefined ? {} : { message }),
        action,
        finds: [],
        kinds: new Map<string, Kind>(),
      };
      for (const find of finds) {
        const { entity } = find;
        const kind = known.kinds.get(entity) ?? { count: 0, fingerprints: new Set() };
        known.kinds.set(entity, kind);
        kind.count += 1;
        const one = kind.fingerprints.size < MAX_FINGERPRINTS ? fingerprintOf(guard, find, text) : undefined;
        if (one === undefined || kind.fingerprints.has(one)) continue;
        kind.fingerprints.add(one);
        left -= 1;
      }
      counted.set(key, known);
    },
    list: () =>
      [...counted.values()].map(({ kinds, ...one }) => ({
        ...one,
        finds: [...kinds].map(([type, { count, fingerprints }]) => ({
          type,
          count,
          ...(fingerprints.size === 0 ? {} : { fingerprints: [...fingerprints] }),
        })),
      })),
  };
}
