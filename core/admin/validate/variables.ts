// Validates the variables of a neuron against its flow: where their values would be lost, and where a caller would speak as the operator.
import { embedOf, type Flow, type Step } from '../../settings/flow-schema.ts';
import type { Neuron } from '../../settings/neuron-schema.ts';
import type { Path } from '../../settings/path.ts';
import { isPlaceholder, placeholdersOf } from '../../settings/placeholders.ts';
import { isFreeText, type Variables } from '../../settings/variables/variables-schema.ts';
import { textsOf, walkFlow } from '../../settings/walk-flow.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../diagnostic.ts';
import { passedCalls } from './pass-through.ts';

/** Paths begin at the root of the document. */
export function validateVariables({ variables = {}, flow }: Neuron): PartDiagnostic[] {
  const names = Object.keys(variables);
  if (flow === undefined) return names.length === 0 ? [] : [errorAt(['variables'], WITHOUT_FLOW)];
  const steps = [...walkFlow(flow)].flatMap(({ step, path }) =>
    step === undefined ? [] : [{ step, path: ['flow', ...path] }],
  );
  return [
    ...(names.length === 0 ? [] : validateKind(flow)),
    ...steps.flatMap(({ step, path }) => [
      ...validateInstructions(step, path, variables),
      ...warnOfExamples(step, path, names),
    ]),
    ...warnOfUnused(steps, names),
  ];
}

const WITHOUT_FLOW = 'are part of a version, and this document has no flow: write the flow beside them';

/** Flows that a caller's values could never reach. */
function validateKind(flow: Flow): PartDiagnostic[] {
  if (embedOf(flow) !== undefined) {
    return [errorAt(['variables'], 'have no place in a neuron that answers vectors: take them out')];
  }
  if (passedCalls(flow).length === 0) return [];
  const message =
    'would not reach a request that is passed on as it is: take them out, or passThrough out of accepts';
  return [errorAt(['variables'], message)];
}

/** Texts in which the operator speaks to the model. */
function validateInstructions(step: Step, path: Path, variables: Variables): PartDiagnostic[] {
  if (!('systemInstructions' in step)) return [];
  return textsOf(step).flatMap(({ text, at }) =>
    placeholdersOf(text).flatMap((name) => {
      const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (variable === undefined || !isFreeText(variable)) return [];
      const message = `holds {{${name}}}, in which a caller may write anything, as if you had said it: give the variable an enum or \`quoted: true\`, or use it in a prompt`;
      return [errorAt([...path, ...at], message)];
    }),
  );
}

function warnOfExamples(step: Step, path: Path, names: readonly string[]): PartDiagnostic[] {
  if (!('callModel' in step)) return [];
  return (step.callModel.examples ?? []).flatMap((example, index) =>
    (['user', 'assistant'] as const).flatMap((member) =>
      placeholdersOf(example[member])
        .filter((name) => isPlaceholder(name) || names.includes(name))
        .map((name) =>
          warningAt(
            [...path, 'callModel', 'examples', index, member],
            `holds {{${name}}}, which is sent as it is written: examples are the same for every caller`,
          ),
        ),
    ),
  );
}

function warnOfUnused(steps: readonly { readonly step: Step }[], names: readonly string[]): PartDiagnostic[] {
  const used = new Set(
    steps.flatMap(({ step }) => textsOf(step).flatMap(({ text }) => placeholdersOf(text))),
  );
  return names
    .filter((name) => !used.has(name))
    .map((name) =>
      warningAt(['variables', name], `is in no text of the flow: write {{${name}}} where it belongs`),
    );
}
