// What the schema of a flow cannot say: how deep, how many steps in all, and which placeholders texts may hold.
import { type Condition, type Flow, MAX_DEPTH, MAX_STEPS, type Step } from '../config/flow-schema.ts';
import { compilePattern, PatternError } from './pattern.ts';
import { isPlaceholder, PLACEHOLDERS, placeholdersOf } from './template.ts';

/** A reason not to take a flow; `path` begins at the flow, such as `[0, 'callModel', 'prompt']`. */
export interface FlowRefusal {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Path = FlowRefusal['path'];

/** Every reason not to take a flow that the schema has parsed; none means that it can be run. */
export function judgeFlow(flow: Flow): readonly FlowRefusal[] {
  const steps = [...walk(flow, [], 0)];
  const total = steps.filter(({ step }) => step !== undefined).length;
  return [
    ...(total > MAX_STEPS
      ? [{ path: [], message: `must hold at most ${MAX_STEPS} steps, branches included` }]
      : []),
    ...steps.flatMap(({ step, path }) =>
      step === undefined ? [tooDeep(path)] : [...judgeTexts(step, path), ...judgePatterns(step, path)],
    ),
  ];
}

/** Every step with its path; a list nested too deep is named by its path alone and not entered. */
function* walk(list: Flow, path: Path, depth: number): Generator<{ step: Step | undefined; path: Path }> {
  if (depth > MAX_DEPTH) {
    yield { step: undefined, path };
    return;
  }
  for (const [index, step] of list.entries()) {
    yield { step, path: [...path, index] };
    for (const branch of branchesOf(step)) {
      yield* walk(branch.list, [...path, index, ...branch.path], depth + 1);
    }
  }
}

function branchesOf(step: Step): readonly { readonly path: Path; readonly list: Flow }[] {
  return Object.entries(step).flatMap(([name, settings]) =>
    ['then', 'else', 'a', 'b'].flatMap((branch) => {
      const list: unknown = (settings as Readonly<Record<string, unknown>>)[branch];
      return Array.isArray(list) ? [{ path: [name, branch], list: list as Flow }] : [];
    }),
  );
}

function tooDeep(path: Path): FlowRefusal {
  return { path, message: `must not be nested more than ${MAX_DEPTH} deep` };
}

function judgeTexts(step: Step, path: Path): readonly FlowRefusal[] {
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
function judgePatterns(step: Step, path: Path): readonly FlowRefusal[] {
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

/** The texts of a step in which placeholders are filled. */
function textsOf(step: Step): readonly { readonly text: string; readonly at: Path }[] {
  if ('systemInstructions' in step) {
    const settings = step.systemInstructions;
    if (typeof settings === 'string') return [{ text: settings, at: ['systemInstructions'] }];
    return 'text' in settings ? [{ text: settings.text, at: ['systemInstructions', 'text'] }] : [];
  }
  if ('callModel' in step) return [{ text: step.callModel.prompt, at: ['callModel', 'prompt'] }];
  if ('serveOutput' in step) return [{ text: step.serveOutput.text ?? '', at: ['serveOutput', 'text'] }];
  if ('stop' in step) return [{ text: step.stop.text ?? '', at: ['stop', 'text'] }];
  return [];
}
