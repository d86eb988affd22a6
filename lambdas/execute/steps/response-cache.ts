// Looks for the answer in the response cache. A hit is put on the record, and the handler at the chain's end returns it.
import { type ReadPorts, readExact } from '../../../core/cache/exact.ts';
import type { InFlightRuns } from '../../../core/cache/in-flight.ts';
import { lookUp } from '../../../core/cache/lookup.ts';
import { type CachePlan, planCaching } from '../../../core/cache/plan.ts';
import { toStorable } from '../cache-answer.ts';
import { type Run, required } from '../run.ts';
import { type SemanticPorts, semanticSearch } from '../semantic-search.ts';
import { maybeRunOf, runOf, type Step } from './record.ts';

/** What the lookup needs. */
export interface ResponseCachePorts extends ReadPorts, SemanticPorts {
  /** One per environment. */
  readonly flights: InFlightRuns;
}

/** Starts the exact read, to be looked at once the request has been admitted: it runs beside the writes of limits. */
export function startExactRead(ports: ReadPorts): Step {
  return {
    before(request) {
      const run = runOf(request.event);
      const plan = planOf(run);
      run.caching = {
        plan,
        exact:
          plan.kind === 'use' ? readExact(plan.place, ports) : Promise.resolve({ kind: 'absent' as const }),
      };
    },
  };
}

/** Comes after everything that may refuse the request. Nothing that fails in here fails a run. */
export function responseCache(ports: ResponseCachePorts): Step {
  const land = (run: Run | undefined): void =>
    run?.lookup?.land?.(toStorable(run, ports.clock.now())?.answer);
  return {
    async before(request) {
      const run = runOf(request.event);
      const { plan, exact } = required(run.caching, 'caching');
      run.lookup = await lookUp({
        plan,
        exact,
        flights: ports.flights,
        now: ports.clock.now,
        signal: required(run.deadline, 'deadline').signal,
        semanticSearch: (place, semantic) => semanticSearch(run, { place, semantic }, ports),
      });
    },
    after: (request) => land(runOf(request.event)),
    onError: (request) => land(maybeRunOf(request.event)),
  };
}

function planOf(run: Run): CachePlan {
  const { input, bypassCache } = required(run.invocation, 'invocation');
  return planCaching({
    settings: required(run.settings, 'settings'),
    version: required(run.version, 'version'),
    preview: run.request.revision !== undefined,
    caller: required(run.admission, 'admission'),
    input,
    bypassCache,
  });
}
