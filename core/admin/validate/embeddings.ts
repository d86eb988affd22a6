// Validates a neuron that answers embeddings: that its step stands alone, and what is known of its models.
import { type EmbedStep, embedOf, type Flow } from '../../settings/flow-schema.ts';
import type { Organization, Provider } from '../../settings/organization-schema.ts';
import type { Path } from '../../settings/path.ts';
import { walkFlow } from '../../settings/walk-flow.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../diagnostic.ts';

/** Paths begin at the flow. Without the organization, models are not validated. */
export function validateEmbeddings(flow: Flow, organization: Organization | undefined): PartDiagnostic[] {
  const step = embedOf(flow);
  if (step === undefined) {
    return [...walkFlow(flow)].flatMap((placed) =>
      placed.step !== undefined && 'embed' in placed.step
        ? [errorAt([...placed.path, 'embed'], 'must be the only step of its flow')]
        : [],
    );
  }
  return targetsOf(step).flatMap((target) => validateTarget(step, target, organization));
}

interface Target {
  readonly path: Path;
  readonly provider: string;
  readonly model: string;
}

const STEP: Path = [0, 'embed'];

function targetsOf({ provider, model, fallbacks }: EmbedStep): readonly Target[] {
  return [
    { path: STEP, provider, model },
    ...fallbacks.map((one, index) => ({ path: [...STEP, 'fallbacks', index], ...one })),
  ];
}

function validateTarget(
  step: EmbedStep,
  target: Target,
  organization: Organization | undefined,
): PartDiagnostic[] {
  const { path, model, provider: name } = target;
  const providers = organization?.providers ?? {};
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  return [
    ...(model === step.model
      ? []
      : [
          warningAt(
            [...path, 'model'],
            `must be the same model as ${step.model} under another name: vectors of two models cannot be compared, and an index of both is useless`,
          ),
        ]),
    ...(provider === undefined ? [] : validateModel(step, target, provider)),
  ];
}

/** Models on Bedrock by their ids: the lengths of their vectors, and whether they tell uses apart. */
const BEDROCK_MODELS: readonly {
  readonly id: RegExp;
  readonly dimensions: readonly number[];
  readonly takesInputType: boolean;
}[] = [
  { id: /(?:^|[./])amazon\.titan-embed-text-v2/, dimensions: [256, 512, 1024], takesInputType: false },
  { id: /(?:^|[./])cohere\.embed-v4/, dimensions: [256, 512, 1024, 1536], takesInputType: true },
  { id: /(?:^|[./])cohere\.embed-\w+-v3/, dimensions: [1024], takesInputType: true },
];

function validateModel(
  step: EmbedStep,
  { path, model, provider: name }: Target,
  { type }: Provider,
): PartDiagnostic[] {
  const label = `${name}/${model}`;
  const known = type === 'bedrock' ? BEDROCK_MODELS.find(({ id }) => id.test(model)) : undefined;
  if (type === 'bedrock' && known === undefined) {
    // An inference profile of one's own does not show its model.
    if (model.startsWith('arn:')) return [];
    const message = `asks ${label}: of the models on Bedrock that make vectors, Titan Text Embeddings V2 and Cohere Embed v3 and v4 can be asked`;
    return [errorAt(path, message)];
  }
  const takesInputType = known?.takesInputType ?? false;
  const { dimensions, inputType } = step;
  return [
    ...(takesInputType && inputType === undefined
      ? [
          errorAt(
            path,
            `needs inputType, since ${label} tells uses apart: search_document for texts to be found, search_query for questions, classification or clustering`,
          ),
        ]
      : []),
    ...(!takesInputType && inputType !== undefined
      ? [errorAt([...STEP, 'inputType'], `is unknown to ${label}: take it out`)]
      : []),
    ...(known !== undefined && dimensions !== undefined && !known.dimensions.includes(dimensions)
      ? [
          errorAt(
            [...STEP, 'dimensions'],
            `must be ${known.dimensions.join(', ').replace(/, (\d+)$/, ' or $1')} for ${label}`,
          ),
        ]
      : []),
  ];
}
