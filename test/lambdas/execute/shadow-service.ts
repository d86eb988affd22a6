// A service with a neuron whose runs a shadow repeats, in memory.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { shadowCounterKey } from '../../../core/rollouts/shadow-budget.ts';
import type { Shadow } from '../../../core/settings/stored-settings.ts';
import type { ExecutionPorts } from '../../../lambdas/execute/compose.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { type CallForm, eventOf, portsOf } from './memory-ports.ts';

export const START_MS = Date.UTC(2026, 10, 28, 12);
export const SHADOW: Shadow = {
  id: '9f2c41d07ab35e68',
  version: 'v2',
  basisPoints: 10_000,
  budgetMicrodollars: 10_000_000,
  until: new Date(START_MS + 3_600_000).toISOString(),
};

export interface Service {
  readonly shadow?: Partial<Shadow>;
  /** The flow of v2. */
  readonly flow?: readonly object[];
  readonly settings?: object;
  readonly replace?: (usual: ExecutionPorts) => Partial<ExecutionPorts>;
}

const said = (model: string) => [
  { callModel: { provider: 'echo', model, prompt: `${model} {{input}}`, retries: 0 } },
];

export function openService({
  shadow,
  flow = said('two'),
  settings: own,
  replace = () => ({}),
}: Service = {}) {
  const clock = createMemoryClock(START_MS);
  const counters = createMemoryCounters();
  const stored: LogEntry[] = [];
  const lines: string[] = [];
  const usual = portsOf(
    {
      providers: {
        echo: { type: 'echo' },
        down: { type: 'echo', fail: 503 },
        models: { type: 'openai', apiKey: { secret: 'key' } },
      },
      prices: {
        'echo/one': { input: 10, output: 10 },
        'echo/two': { input: 20, output: 20 },
        'down/two': { input: 20, output: 20 },
      },
      neurons: { hello: { settings: { access: { public: true }, ...own }, flow: said('one') } },
    },
    counters,
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => stored.push(entry) > 0 },
      openHttp: createStreamHttp({ headers: {}, pieces: (async function* () {})() }).openHttp,
    },
  );
  const settings: ExecutionPorts['settings'] = {
    ...usual.settings,
    async read(...names) {
      const known = await usual.settings.read(...names);
      if (known?.verdict.usable !== true) return known;
      const whole = { ...known.verdict.settings, shadow: { ...SHADOW, ...shadow } };
      return { ...known, verdict: { usable: true, settings: whole } };
    },
  };
  const versions: ExecutionPorts['versions'] = {
    ...usual.versions,
    async read(organization, neuronId, id) {
      const version = await usual.versions.read(organization, neuronId, id);
      return version && id === 'v2' ? { ...version, flow } : version;
    },
  };
  const kept = { lines: { write: (line: string) => void lines.push(line) } };
  const shadowed = { ...usual, settings, versions, ...kept };
  const ports = { ...shadowed, ...replace(shadowed) };
  let requests = 0;
  const begin = async (input: string, form: CallForm = {}) => {
    requests += 1;
    const event = eventOf('hello', { input }, { stream: false, ...form }, `e${requests}`, clock);
    const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports);
    const { status, body } = served.answer();
    return { status, text: typeof body === 'string' ? body : (await body.toArray()).join(''), served };
  };
  const call = async (input: string, form?: CallForm) => {
    const answer = await begin(input, form);
    await answer.served.finish();
    return answer;
  };
  const copies = () => stored.filter((entry) => entry.shadow !== undefined);
  const spent = async () => {
    const key = shadowCounterKey(SHADOW);
    return (await counters.read([key])).get(key)?.counts.cost ?? { taken: 0, held: 0 };
  };
  return { begin, call, stored, copies, lines, spent, clock, counters };
}
