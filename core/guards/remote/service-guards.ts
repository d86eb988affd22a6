// The guards by services of one request: what they let through of it and of its answers, what they found, and what they cost.
import type { InspectedAnswer } from '../../flow/step.ts';
import type { MaskPlace } from '../../ports/idempotency.ts';
import type { ModelResult } from '../../ports/providers.ts';
import type { ActiveGuard } from '../active-guards.ts';
import { inspectAnswer } from '../inspect-answer.ts';
import type { InspectPlace } from '../inspect-conversation.ts';
import type { RequestGuards, ServiceGuards } from '../request-guards.ts';
import { createAsking } from './asking.ts';
import { maskPlacesOf } from './mask-places.ts';
import type { ServicePorts } from './question.ts';
import { collect, inspectRequest, isNewIn, roleIn } from './traverse.ts';
import { toQuestions } from './verdicts.ts';

/** The same guards, which ask services about what those in the process have left. */
export function withServices(
  local: RequestGuards,
  active: readonly ActiveGuard[],
  ports: ServicePorts,
): RequestGuards {
  const { placeholders } = local;
  const asking = createAsking(placeholders, ports);
  const remote = active.filter(({ service }) => service !== undefined);
  const looksAtAnswers = remote.some(({ action, stages }) => action !== 'flag' && stages.has('output'));
  let masks: readonly MaskPlace[] = [];
  const services: ServiceGuards = {
    mayChange: remote.some(({ action }) => action !== 'flag'),
    async inspectInput(request) {
      const placed = collect((inspect) => inspectRequest(request, inspect), roleIn(request.conversation));
      const isNew = isNewIn(request.conversation);
      const { blocked, replay, cuts } = await asking.askAll(toQuestions(remote, placed, isNew), placed);
      masks = maskPlacesOf(placed, cuts);
      return { ...inspectRequest(request, replay), blocked };
    },
    masks: () => masks,
    calls: asking.calls,
    ended: asking.ended,
  };
  return {
    ...local,
    services,
    answers: {
      ...local.answers,
      async inspect(result, isJson) {
        const inspected = await local.answers.inspect(result, isJson);
        return inspected.blocked === undefined ? askAnswer(inspected.result, isJson) : inspected;
      },
      // Nobody asks services about errors: what they look for in answers may be quoted in one.
      withholds: (words) => looksAtAnswers || local.answers.withholds(words),
    },
    found: () => [...local.found(), ...asking.found()],
  };

  async function askAnswer(result: ModelResult, isJson: boolean): Promise<InspectedAnswer> {
    const inspectBy = (inspect: InspectPlace) => inspectAnswer(result, isJson, { guards: remote, inspect });
    const placed = collect(inspectBy, () => 'assistant');
    const { blocked, replay } = await asking.askAll(
      toQuestions(remote, placed, () => true),
      placed,
    );
    return {
      result: inspectBy(replay),
      ...(blocked === undefined ? {} : { blocked: { text: blocked.text } }),
    };
  }
}
