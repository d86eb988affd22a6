// Parses what is to be run from body and query parameters, in the form of the request's surface.
import type { ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { bytesOfConversation, maxBodyLength } from '../../../core/conversation/size.ts';
import { readVariables } from '../../../core/conversation/variables/read-variables.ts';
import { acceptsFiles, passesOn } from '../../../core/flow/accepted.ts';
import type { OpenSettings } from '../../../core/settings/usable-settings.ts';
import { checkDepth } from '../../../core/surfaces/body-depth.ts';
import { surfaceOf } from '../../../core/surfaces/registry.ts';
import type { Invocation } from '../../../core/surfaces/surface.ts';
import type { FoundVersion } from '../run.ts';

/** 400 and 422. */
export async function readInvocation(
  request: ExecutionRequest,
  settings: OpenSettings,
  find: () => Promise<FoundVersion>,
): Promise<Invocation> {
  const { surface, unparsed, organization, neuron, chosen, countsTokens } = request;
  const { maxInputBytes } = settings.neuron;
  // Before anything is parsed: reading a text costs next to nothing, and parsing it up to a hundred times its size.
  if ((unparsed.body?.length ?? 0) > maxBodyLength(maxInputBytes)) {
    const { flow } = await find();
    // Images and documents are part of a body and not of `maxInputBytes`.
    if (!acceptsFiles(flow)) {
      const detail = `The body is longer than this neuron allows, which is ${maxBodyLength(maxInputBytes)} characters.`;
      throw new ServiceError('input_too_large', { detail });
    }
  }
  checkDepth(unparsed.body);
  const addressed = { organization, neuron, chosen: chosen?.model, maxInputBytes, countsTokens };
  const { parse, parsePassed } = surfaceOf(surface);
  // A version that is missing is told after a mistake of the body.
  const foundOrNone = () => find().catch(() => undefined);
  if (parsePassed === undefined) return withVariables(parse(unparsed, addressed), foundOrNone, maxInputBytes);
  const version = await foundOrNone();
  const parsed =
    version !== undefined && passesOn(version.flow)
      ? parsePassed(unparsed, addressed)
      : parse(unparsed, addressed);
  return withVariables(parsed, foundOrNone, maxInputBytes);
}

/** The values of the version's variables are part of the conversation. Vectors are made of the caller's texts alone. */
async function withVariables(
  invocation: Invocation,
  find: () => Promise<FoundVersion | undefined>,
  maxInputBytes: number,
): Promise<Invocation> {
  const version = await find();
  if (version === undefined || invocation.embedding !== undefined) return invocation;
  const { conversation, sentVariables } = invocation;
  const { values, bytes } = readVariables(version.variables, sentVariables);
  if (values.length === 0) return invocation;
  if (bytes > 0 && bytes + bytesOfConversation(conversation) > maxInputBytes) {
    const detail = 'The input and its variables are longer together than this neuron allows.';
    throw new ServiceError('input_too_large', { param: sentVariables?.path ?? 'variables', detail });
  }
  return { ...invocation, conversation: { ...conversation, variables: values } };
}
