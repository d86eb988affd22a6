// Shows a text to guards as a request would, and says what each finds and what leaves.
import type { LoggedGuard } from '../../contract/log-entry.ts';
import type { ActiveGuard } from '../../guards/active-guards.ts';
import { checkSchemas } from '../../guards/check-schemas.ts';
import { createFindCounts } from '../../guards/find-counts.ts';
import { inspectTexts } from '../../guards/inspect-texts.ts';
import { createPlaceholders } from '../../guards/placeholders.ts';
import type { ValidateJson } from '../../ports/platform.ts';
import type { Stage } from '../../settings/guards/guards-schema.ts';
import { parseJson, toJsonObject } from '../../text/json.ts';

export type TextVerdict = 'blocked' | 'changed' | 'flagged' | 'passed';

export interface TestedText {
  readonly verdict: TextVerdict;
  readonly finds: readonly LoggedGuard[];
  /** Undefined where nothing leaves. Placeholders are not those of a request, whose key is secret. */
  readonly leaves: string | undefined;
  /** Sent in place of an error where a guard blocks. */
  readonly answer: string | undefined;
  /** The finds in the text, in order. */
  readonly places: readonly FoundPlace[];
}

export interface FoundPlace {
  readonly guard: string;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** For placeholders that nobody is to find again. */
const TEST_KEY = 'test';

/** A text of the stage `toolCalls` stands for the arguments of whatever tool a schema is of. */
export async function testText(
  guards: readonly ActiveGuard[],
  stage: Stage,
  text: string,
  validateJson: ValidateJson,
): Promise<TestedText> {
  const blocking: ActiveGuard[] = [];
  const counts = createFindCounts();
  const placeholders = createPlaceholders(TEST_KEY);
  const state = {
    guards,
    placeholders,
    counts,
    validateJson,
    block: (guard: ActiveGuard) => void blocking.push(guard),
  };
  const [inspected = ''] = inspectTexts(state, { stage }, [text]);
  await checkSchemas(answerOf(guards, stage, text), state);
  const finds = counts.list();
  const isBlocked = blocking.length > 0;
  return {
    verdict: isBlocked ? 'blocked' : inspected !== text ? 'changed' : finds.length > 0 ? 'flagged' : 'passed',
    finds,
    leaves: isBlocked ? undefined : inspected,
    answer: blocking.toSorted((a, b) => (a.name < b.name ? -1 : 1))[0]?.text,
    places: placesIn(text, guards, stage),
  };
}

function answerOf(guards: readonly ActiveGuard[], stage: Stage, text: string) {
  if (stage === 'output') return { text };
  const tools = stage === 'toolCalls' ? new Set(guards.flatMap(({ fits }) => fits?.tool ?? [])) : [];
  const args = toJsonObject(parseJson(text)) ?? {};
  return {
    text: '',
    toolCalls: [
      { id: '', name: '', arguments: {} },
      ...[...tools].map((name) => ({ id: '', name, arguments: args })),
    ],
  };
}

function placesIn(text: string, guards: readonly ActiveGuard[], stage: Stage): readonly FoundPlace[] {
  return guards
    .filter(({ stages }) => stages.has(stage))
    .flatMap((guard) =>
      guard.find(text).map(({ entity, start, end }) => ({ guard: guard.name, type: entity, start, end })),
    )
    .sort((a, b) => a.start - b.start || a.end - b.end);
}
