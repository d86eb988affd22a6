// Runs the flow of the version that was found and renders the answer: the handler at the end of the chain.
import { toProxyResult } from '../../adapters/apigateway/proxy-answer.ts';
import { renderAnswer } from '../../core/contract/answer.ts';
import { runFlow as run } from '../../core/flow/run.ts';
import type { FlowPorts } from '../../core/flow/step.ts';
import type { Clock } from '../../core/ports/platform.ts';
import { type Run, required } from './run.ts';

/** What running a flow needs. */
export interface RunFlowPorts {
  readonly clock: Clock;
  /** The lookup of an organization's providers. */
  readonly providersOf: (settings: NonNullable<Run['settings']>) => FlowPorts['findProvider'];
}

/** Runs the flow once and answers; throws the refusal of a run that failed, its trace kept on the record. */
export async function runFlow(record: Run, ports: RunFlowPorts) {
  const settings = required(record.settings, 'settings');
  const { input, rawOutput } = required(record.invocation, 'invocation');
  const admission = required(record.admission, 'admission');
  const { executionId } = record.request;
  const context = {
    input,
    username: admission.username,
    executionId,
    deadline: required(record.deadline, 'deadline'),
  };
  const flowPorts = { clock: ports.clock, findProvider: ports.providersOf(settings) };
  const result = await run(required(record.version, 'version').flow, context, flowPorts);
  record.result = result;
  if (result.kind === 'failed') throw result.refusal;
  return toProxyResult(
    renderAnswer(
      { output: result.output, executionStopped: result.stopped, cache: 'off' },
      { executionId, rawOutput },
    ),
  );
}
