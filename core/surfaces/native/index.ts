// The service's own form.
import { statusOf } from '../../contract/error-codes.ts';
import { renderStreamHead } from '../event-stream.ts';
import type { Surface } from '../surface.ts';
import { renderAnswer } from './answer.ts';
import { renderError } from './errors.ts';
import { acceptsEventStream, type NativeInvocation, parseInvocation } from './parse.ts';
import { NATIVE_STREAM } from './stream.ts';

export const NATIVE: Surface<NativeInvocation> = {
  parse: (unparsed, { maxInputBytes }) => parseInvocation(unparsed, maxInputBytes),
  acceptsStream: ({ accept }) => acceptsEventStream(accept),
  takesArgumentText: false,
  nameOf: (path) => path,
  renderAnswer: (result, { invocation: { rawOutput }, ...detail }) =>
    renderAnswer(result, { ...detail, rawOutput }),
  statusOf,
  renderError,
  renderStreamHead,
  createEncoder: () => NATIVE_STREAM,
};
