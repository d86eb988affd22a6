// Validates what the schema of a flow cannot express: how deep, how many steps in all, known placeholders, supported patterns.

import { compilePattern, PatternError } from '../../flow/pattern.ts';
import { type Condition, type Flow, MAX_DEPTH, MAX_STEPS, type Step } from '../../settings/flow-schema.ts';
import type { Path } from '../../settings/path.ts';
import { isPlaceholder, PLACEHOLDERS, placeholdersOf } from '../../settings/placeholders.ts';
import { textsOf, walkFlow } from '../../settings/walk-flow.ts';
import { errorAt, type PartDiagnostic } from '../diagnostic.ts';

/** Validates a flow that the schema has parsed; without an error it can be run. Paths begin at the flow: `[0, 'callModel', 'prompt']`. */
export function validateFlow(flow: Flow): PartDiagnostic[] {
  const steps = [...walkFlow(flow)];
  const total = steps.filter(({ step }) => step !== undefined).length;
  return [
    ...(total > MAX_STEPS ? [errorAt([], `must hold at most ${MAX_STEPS} steps, branches included`)] : []),
    ...steps.flatMap(({ step, path }) =>
      step === undefined
        ? [errorAt(path, `must not be nested more than ${MAX_DEPTH} deep`)]
        : [...validateTexts(step, path), ...validatePatterns(step, path)],
    ),
  ];
}

function validateTexts(step: Step, path: Path): PartDiagnostic[] {
  const known = PLACEHOLDERS.map((one) => `{{${one}}}`).join(' ');
  return textsOf(step).flatMap(({ text, at }) =>
    placeholdersOf(text)
      .filter((name) => !isPlaceholder(name))
      .map((name) =>
        errorAt([...path, ...at], `has the unknown placeholder {{${name}}}; there are ${known}`),
      ),
  );
}

/** A pattern that the engine does not support is an error of the settings, so that no caller meets it. */
function validatePatterns(step: Step, path: Path): PartDiagnostic[] {
  return Object.entries(step).flatMap(([name, settings]) => {
    if (name !== 'ifInputContains' && name !== 'ifOutputContains') return [];
    const condition = settings as Condition;
    return condition.any.flatMap((pattern, index) => {
      const message = findPatternError(pattern, condition);
      return message === undefined ? [] : [errorAt([...path, name, 'any', index], message)];
    });
  });
}

function findPatternError(pattern: string, condition: Condition): string | undefined {
  try {
    compilePattern(pattern, condition);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof PatternError) return thrown.message;
    throw thrown;
  }
}
