// Parses body and query parameters.
import { parseInvocation } from '../../../core/contract/invocation.ts';
import { required } from '../run.ts';
import { runOf, type Step } from './record.ts';

/** 400 and 422. */
export function readInvocation(): Step {
  return {
    before(request) {
      const run = runOf(request.event);
      const { neuron } = required(run.settings, 'settings');
      run.invocation = parseInvocation(run.request.unparsed, neuron.maxInputBytes);
    },
  };
}
