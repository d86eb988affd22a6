// What the schema of a flow cannot say: how deep, how many steps in all, and which placeholders texts may hold.

import { compilePattern, PatternError } from '../../flow/pattern.ts';
import { type Condition, type Flow, MAX_DEPTH, MAX_STEPS, type Step } from '../../settings/flow-schema.ts';
import { isPlaceholder, PLACEHOLDERS, placeholdersOf } from '../../settings/placeholders.ts';
import { type FlowPath, textsOf, walkFlow } from '../../settings/walk-flow.ts';

/** A reason not to take a flow; `path` begins at the flow, such as `[0, 'callModel', 'prompt']`. */
export interface FlowDiagnostic {
  readonly path: FlowPath;
  readonly message: string;
}

/** Every reason not to take a flow that the schema has parsed; none means that it can be run. */
export function validateFlow(flow: Flow): readonly FlowDiagnostic[] {
  const steps = [...walkFlow(flow)];
  const total = steps.filter(({ step }) => step !== undefined).length;
  return [
    ...(total > MAX_STEPS
      ? [{ path: [], message: `must hold at most ${MAX_STEPS} steps, branches included` }]
      : []),
    ...steps.flatMap(({ step, path }) =>
      step === undefined ? [tooDeep(path)] : [...validateTexts(step, path), ...validatePatterns(step, path)],
    ),
  ];
}

function tooDeep(path: FlowPath): FlowDiagnostic {
  return { path, message: `must not be nested more than ${MAX_DEPTH} deep` };
}

function validateTexts(step: Step, path: FlowPath): readonly FlowDiagnostic[] {
  return textsOf(step).flatMap(({ text, at }) =>
    placeholdersOf(text)
      .filter((name) => !isPlaceholder(name))
      .map((name) => ({
        path: [...path, ...at],
        message: `has the unknown placeholder {{${name}}}; there are ${PLACEHOLDERS.map((one) => `{{${one}}}`).join(' ')}`,
      })),
  );
}

/** What the engine does not take is refused here, with its place, and never found out by a caller. */
function validatePatterns(step: Step, path: FlowPath): readonly FlowDiagnostic[] {
  return Object.entries(step).flatMap(([name, settings]) => {
    if (name !== 'ifInputContains' && name !== 'ifOutputContains') return [];
    const condition = settings as Condition;
    return condition.any.flatMap((pattern, index) => {
      const message = refusePattern(pattern, condition);
      return message === undefined ? [] : [{ path: [...path, name, 'any', index], message }];
    });
  });
}

function refusePattern(pattern: string, condition: Condition): string | undefined {
  try {
    compilePattern(pattern, condition);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof PatternError) return thrown.message;
    throw thrown;
  }
}
