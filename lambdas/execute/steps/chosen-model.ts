// Chooses the model that is filled in for `{{model}}`: only flows that pass one on need it.
import type { ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { nameToSend, slugInName } from '../../../core/settings/names/model-names.ts';
import { modelName } from '../../../core/settings/scalars.ts';
import type { OpenSettings } from '../../../core/settings/usable-settings.ts';

/** The caller's name on an organization's URL, elsewhere the first of the neuron. 404 for one that no provider can be sent. */
export function chosenModel(
  { organization, neuron, chosen }: ExecutionRequest,
  settings: OpenSettings,
): string {
  const name = chosen?.name ?? neuron;
  const isSlug = slugInName(name, organization) === neuron;
  const model = nameToSend(settings.neuron.models, { name, isSlug });
  if (model === undefined) {
    const reason = 'the flow passes {{model}} on, and the neuron has no name in `models` without a *';
    throw new ServiceError('configuration', { reason });
  }
  if (modelName.safeParse(model).success) return model;
  throw new ServiceError('model_not_found', { reason: 'the name is not one that a provider can be sent' });
}
