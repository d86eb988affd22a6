// Parses what is to be run from body and query parameters, in the form of the request's surface.
import type { ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import type { OpenSettings } from '../../../core/settings/usable-settings.ts';
import { SURFACES } from '../../../core/surfaces/registry.ts';
import type { Invocation } from '../../../core/surfaces/surface.ts';

/** 400 and 422. */
export function readInvocation(request: ExecutionRequest, { neuron: settings }: OpenSettings): Invocation {
  const { surface, unparsed, organization, neuron } = request;
  const { maxInputBytes } = settings;
  return SURFACES[surface].parse(unparsed, { organization, neuron, maxInputBytes });
}
