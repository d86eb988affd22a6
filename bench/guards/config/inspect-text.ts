// Shows one text to a guard as a request would: in parts, within its time, by the prices of its settings.
import { type AlonePorts, askAlone, ROLES } from '../../../core/admin/guards/ask-alone.ts';
import type { ActiveGuard } from '../../../core/guards/active-guards.ts';
import { ask } from '../../../core/guards/remote/ask.ts';
import { type Question, reserveQuestion, type ServicePorts } from '../../../core/guards/remote/question.ts';
import type { Stage } from '../../../core/settings/guards/guards-schema.ts';

/** A find without a place is of the whole text. */
export interface PlacedFind {
  readonly entity: string;
  readonly start?: number;
  readonly end?: number;
}

export interface Inspection {
  readonly isFound: boolean;
  readonly finds: readonly PlacedFind[];
  /** Present where a service gave no verdict. */
  readonly notJudged?: string;
  readonly ms: number;
  /** Null without a price. */
  readonly costMicrodollars: number | null;
}

/** Never rejects for a service that fails. */
export async function inspectText(
  guard: ActiveGuard,
  stage: Stage,
  text: string,
  ports: AlonePorts,
): Promise<Inspection> {
  const { service } = guard;
  if (service === undefined) {
    const startedMs = performance.now();
    const finds = guard.find(text);
    return { isFound: finds.length > 0, finds, ms: performance.now() - startedMs, costMicrodollars: 0 };
  }
  return askAbout({ guard, service, stage, texts: [{ role: ROLES[stage], text }] }, ports);
}

async function askAbout(question: Question, ports: AlonePorts): Promise<Inspection> {
  let spent: number | null = 0;
  const inspect = async (alone: ServicePorts): Promise<Inspection> => {
    const { finds, unnamed, failure, ms } = await ask(await reserveQuestion(question, alone), alone);
    return {
      isFound: finds.length + unnamed.length > 0,
      finds: finds.map(({ entity, span }) => ({ entity, ...span })),
      ...(failure === undefined ? {} : { notJudged: failure.notJudged }),
      ms,
      costMicrodollars: spent,
    };
  };
  return askAlone(ports, inspect, ({ costMicrodollars }) => {
    spent = costMicrodollars;
  });
}
