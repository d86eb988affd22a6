// Counts finds for the log: their kinds and numbers, never a value or a place.
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
  add(guard: ActiveGuard, place: Place, finds: readonly Find[]): void;
  list(): readonly LoggedGuard[];
}

/** One entry for each guard, stage and turn with a find; an item of the log holds so many. */
const MAX_LISTED = 100;

export function createFindCounts(): FindCounts {
  const counted = new Map<string, LoggedGuard & { readonly counts: Map<string, number> }>();
  return {
    add({ name, type, action }, { stage, message }, finds) {
      if (finds.length === 0) return;
      const key = JSON.stringify([name, action, stage, message]);
      const known = counted.get(key) ?? {
        guard: name,
        type,
        stage,
        ...(message === undefined ? {} : { message }),
        action,
        finds: [],
        counts: new Map<string, number>(),
      };
      for (const { entity } of finds) known.counts.set(entity, (known.counts.get(entity) ?? 0) + 1);
      counted.set(key, known);
    },
    list: () =>
      [...counted.values()].slice(0, MAX_LISTED).map(({ counts, ...one }) => ({
        ...one,
        finds: [...counts].map(([type, count]) => ({ type, count })),
      })),
  };
}
