// The steps of a copy: those of a call, with the version of the shadow.
import { requireMakes } from '../../../../core/flow/embeddings/require-makes.ts';
import type { Budget } from '../../../../core/limits/budget.ts';
import { guardRequest, lookUpGuarded } from '../../guards/index.ts';
import type { Call, ExecutionPorts } from '../../run.ts';
import { runCall } from '../../steps/flow.ts';
import { readInvocation } from '../../steps/invocation.ts';
import { openLeftOut } from '../../steps/left-out.ts';
import { admit } from '../../steps/limits.ts';
import { recordAttempts } from '../../steps/line.ts';
import { findVersion } from '../../steps/version.ts';
import type { ShadowRun } from './open-shadow.ts';

type KnownCall = Pick<Call, 'request' | 'admission' | 'settings' | 'deadline' | 'startedMs' | 'subject'>;

/** The error of the run; undefined for an answer, or where a guard blocks the request. */
export async function takeSteps(run: ShadowRun, known: KnownCall, budget: Budget, ports: ExecutionPorts) {
  const { request, settings, admission } = known;
  run.admission = admission;
  run.settings = settings;
  const { version: id = '' } = settings.shadow ?? {};
  // The steps of a call that choose a version find this one.
  const chosen = { ...settings, deployment: { version: id, number: 0 }, rollout: undefined };
  const version = await findVersion(request, chosen, admission, ports);
  run.version = version;
  const invocation = await readInvocation(request, settings, async () => version);
  run.invocation = invocation;
  requireMakes(version.flow, invocation.embedding, {
    ...request,
    takesTokens: (name) => ports.providersOf(settings)(name)?.embedding?.takesTokens === true,
  });
  const leftOut = openLeftOut(request, invocation, version.flow);
  run.leftOut = leftOut;
  run.budget = budget;
  const call = await guardRequest(run, { ...known, invocation, version, leftOut }, ports);
  const admitted = recordAttempts(run, await admit(call, budget, ports), ports);
  const none = async () => ({ result: 'off' as const, failures: [] });
  const ready = await lookUpGuarded(run, admitted, Promise.resolve({ kind: 'miss' }), none);
  run.attempts = [];
  run.result = await runCall(ready);
  return run.result?.kind === 'failed' ? run.result.rejection : undefined;
}
