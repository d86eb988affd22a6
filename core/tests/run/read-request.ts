// Reads the request of a case as a request is read.
import { ServiceError } from '../../contract/service-error.ts';
import { bytesOfConversation } from '../../conversation/size.ts';
import { readVariables } from '../../conversation/variables/read-variables.ts';
import { parseInvocation } from '../../surfaces/native/parse.ts';
import type { Invocation } from '../../surfaces/surface.ts';
import type { JsonObject } from '../../text/json.ts';
import type { TestedNeuron } from './tested-neuron.ts';

/** Throws 422 as a request would. */
export function readRequest(body: JsonObject, neuron: TestedNeuron): Invocation {
  const unparsed = { body: JSON.stringify(body), bypassCache: [], rawOutput: [], accept: [] };
  const parsed = parseInvocation(unparsed, neuron.settings.maxInputBytes);
  rejectLeftOut(parsed.leftOut ?? []);
  return withVariables(parsed, neuron);
}

/** A test of a member that the neuron never sees would test nothing. */
function rejectLeftOut(leftOut: readonly string[]): void {
  const [first] = leftOut;
  if (first === undefined) return;
  throw new ServiceError('invalid_input', { detail: `"${first}" is no member of a request here.` });
}

/** The values of the version's variables are part of the conversation, as of a request. */
function withVariables(invocation: Invocation, { variables, settings }: TestedNeuron): Invocation {
  const { conversation, sentVariables } = invocation;
  const { values, bytes } = readVariables(variables, sentVariables);
  if (values.length === 0) return invocation;
  if (bytes > 0 && bytes + bytesOfConversation(conversation) > settings.maxInputBytes)
    throw new ServiceError('input_too_large', { param: 'variables' });
  return { ...invocation, conversation: { ...conversation, variables: values } };
}
