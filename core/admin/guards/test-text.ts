// Shows a text to guards as a request would, and says what each finds and what leaves.
import type { LoggedGuard } from '../../contract/log-entry.ts';
import type { ServiceError } from '../../contract/service-error.ts';
import type { ActiveGuard } from '../../guards/active-guards.ts';
import { strictest } from '../../guards/block.ts';
import { checkSchemas } from '../../guards/check-schemas.ts';
import { createFindCounts } from '../../guards/find-counts.ts';
import { inspectTexts } from '../../guards/inspect-texts.ts';
import { createPlaceholders } from '../../guards/placeholders.ts';
import type { ValidateJson } from '../../ports/platform.ts';
import type { Stage } from '../../settings/guards/guards-schema.ts';
import { parseJson, toJsonObject } from '../../text/json.ts';
import { type AskedText, askServices } from './ask-services.ts';

/** `failed`: a guard by a service gave no verdict, and closes. */
export type TextVerdict = 'blocked' | 'changed' | 'failed' | 'flagged' | 'passed';

export interface TestedText {
  readonly verdict: TextVerdict;
  readonly finds: readonly LoggedGuard[];
  /** Undefined where nothing leaves. Placeholders are not those of a request, whose key is secret. */
  readonly leaves: string | undefined;
  /** Sent in place of an error where a guard blocks. */
  readonly answer: string | undefined;
  /** The finds in the text, in order; those of services are not in it. */
  readonly places: readonly FoundPlace[];
  /** The error that a request would get; present where the verdict is `failed`. */
  readonly error?: ServiceError;
}

export interface FoundPlace {
  readonly guard: string;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** For placeholders that nobody is to find again. */
const TEST_KEY = 'test';

export interface TestPorts {
  readonly validateJson: ValidateJson;
  /** Absent where no service is to be asked. */
  readonly services?: Parameters<typeof askServices>[2];
}

/** A text of the stage `toolCalls` stands for the arguments of whatever tool a schema is of. */
export async function testText(
  guards: readonly ActiveGuard[],
  stage: Stage,
  text: string,
  { validateJson, services }: TestPorts,
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
  const first = strictest(blocking);
  // Services are asked about what guards in the process let pass.
  const asked =
    first === undefined && services !== undefined
      ? await askServices(guards, { stage, text: inspected, placeholders }, services)
      : {
          blocked: first && { text: first.text, place: { stage } },
          leaves: inspected,
          finds: [],
          error: undefined,
        };
  const finds = [...counts.list(), ...asked.finds];
  const verdict = verdictOf(asked, text, finds);
  return {
    verdict,
    finds,
    leaves: verdict === 'blocked' || verdict === 'failed' ? undefined : asked.leaves,
    answer: asked.blocked?.text,
    places: placesIn(text, guards, stage),
    ...(asked.error === undefined ? {} : { error: asked.error }),
  };
}

function verdictOf(
  { blocked, leaves, error }: Pick<AskedText, 'blocked' | 'leaves' | 'error'>,
  text: string,
  finds: readonly LoggedGuard[],
): TextVerdict {
  if (blocked !== undefined) return 'blocked';
  if (error !== undefined) return 'failed';
  if (leaves !== text) return 'changed';
  return finds.some((one) => one.finds.length > 0) ? 'flagged' : 'passed';
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
