// Validates the names of a neuron: none may be the address of another, and `{{model}}` must stand for one that can be sent.
import { isSlug } from '../../contract/slugs.ts';
import { CHOSEN_MODEL, fillIn, passesModelOn } from '../../settings/names/fill-model.ts';
import { wholeNamesOf } from '../../settings/names/model-names.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import { modelName } from '../../settings/scalars.ts';
import { withEmptyVariables } from '../../settings/variables/empty-variables.ts';
import { errorAt, type PartDiagnostic } from '../diagnostic.ts';
import { validateRateLimits } from './limits/limits.ts';
import type { ReadNeuron } from './read-documents.ts';

/** Whether another neuron has a name is known when it is written, from the store. */
export function validateNames({ organization, parsed }: ReadNeuron): PartDiagnostic[] {
  const { models = [], flow } = parsed;
  const addresses = models.flatMap((name, index) =>
    name.startsWith(`${organization}/`) && isSlug(name.slice(organization.length + 1))
      ? [errorAt(['models', index], `${name} is how the neuron of this slug is called already; take it out`)]
      : [],
  );
  if (flow === undefined || !passesModelOn(flow)) return addresses;
  if (wholeNamesOf(models).length === 0) {
    const message =
      'must have a name without a *, since the flow passes {{model}} on: calls of the neuron by its own URL send the first one';
    return [...addresses, errorAt(['models'], message)];
  }
  const unsendable = models.flatMap((name, index) =>
    name.endsWith('*') || modelName.safeParse(name).success
      ? []
      : [errorAt(['models', index], `${name} is no name of a model, and the flow passes {{model}} on`)],
  );
  return [...addresses, ...unsendable];
}

/** The limits against each model that `{{model}}` may stand for, as far as they are known. */
export function validateLimitsOfModels(
  neuron: ReadNeuron,
  settings: Organization | undefined,
): PartDiagnostic[] {
  const { organization, parsed } = neuron;
  return modelsOf(neuron).flatMap((name) =>
    validateRateLimits(withEmptyVariables(fillIn(parsed, name)), { organization, settings }),
  );
}

/** A document as written, with the first model that `{{model}}` may stand for. */
export function withFirstModel(document: unknown, neuron: ReadNeuron): unknown {
  return fillIn(document, modelsOf(neuron)[0] ?? CHOSEN_MODEL);
}

/** One that fills in nothing where no name is passed on. */
function modelsOf({ parsed: { models, flow } }: ReadNeuron): readonly string[] {
  const whole = wholeNamesOf(models);
  return flow !== undefined && passesModelOn(flow) && whole.length > 0 ? whole : [CHOSEN_MODEL];
}
