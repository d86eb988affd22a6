// Validates what the schema of a flow cannot express: how deep, how many steps in all, known placeholders, supported patterns.

import { compilePattern, PatternError } from '../../flow/pattern.ts';
import {
  type Acceptable,
  type Condition,
  type Flow,
  MAX_DEPTH,
  MAX_STEPS,
  type Step,
} from '../../settings/flow-schema.ts';
import type { Path } from '../../settings/path.ts';
import { isPlaceholder, PLACEHOLDERS, placeholdersOf } from '../../settings/placeholders.ts';
import { type PlacedStep, textsOf, walkFlow } from '../../settings/walk-flow.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../diagnostic.ts';

/**
 * Validates a flow that the schema has parsed; without an error it can be run. Paths begin at the flow: `[0, 'callModel', 'prompt']`.
 * `variables`: the names that its texts may hold besides.
 */
export function validateFlow(flow: Flow, variables: readonly string[] = []): PartDiagnostic[] {
  const steps = [...walkFlow(flow)];
  const total = steps.filter(({ step }) => step !== undefined).length;
  return [
    ...(total > MAX_STEPS ? [errorAt([], `must hold at most ${MAX_STEPS} steps, branches included`)] : []),
    ...steps.flatMap(({ step, path }) =>
      step === undefined
        ? [errorAt(path, `must not be nested more than ${MAX_DEPTH} deep`)]
        : [...validateTexts(step, path, variables), ...validatePatterns(step, path)],
    ),
    ...warnOfNarrowConditions(steps),
  ];
}

function validateTexts(step: Step, path: Path, variables: readonly string[]): PartDiagnostic[] {
  const known = [...PLACEHOLDERS, ...variables].map((one) => `{{${one}}}`).join(' ');
  return textsOf(step).flatMap(({ text, at }) =>
    placeholdersOf(text)
      .filter((name) => !isPlaceholder(name) && !variables.includes(name))
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

/** Parts of a caller's request that hold texts apart from the last message. */
const HOLDS_TEXTS: ReadonlySet<Acceptable> = new Set(['history', 'system', 'tools', 'schema']);

/** A condition that looks at the last message alone is passed by a text that stands elsewhere in the conversation. */
function warnOfNarrowConditions(steps: readonly PlacedStep[]): PartDiagnostic[] {
  const passed = new Set(
    steps.flatMap(({ step }) =>
      step !== undefined && 'callModel' in step
        ? step.callModel.accepts.filter((one) => HOLDS_TEXTS.has(one))
        : [],
    ),
  );
  if (passed.size === 0) return [];
  return steps.flatMap(({ step, path }) =>
    step !== undefined && 'ifInputContains' in step && step.ifInputContains.in === 'lastMessage'
      ? [
          warningAt(
            [...path, 'ifInputContains', 'in'],
            `looks at the last message alone, and a callModel of this flow accepts ${[...passed].join(', ')}: ` +
              'a text that stands there passes. Leave it out to look at everything',
          ),
        ]
      : [],
  );
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
