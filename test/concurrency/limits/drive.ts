// Sends the offers of a scenario, many at a time. Whoever is refused only because of what is held comes again; everyone else is done.
import { setTimeout as sleep } from 'node:timers/promises';
import { makeId, type Offer, type Outcome, type Scenario } from './scenario.ts';

/** An answer to one request. */
export interface Answered {
  /** `ok`, or the code of the error. */
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  /** The window that the request certainly fell into; undefined where an edge came while it was on its way. */
  readonly window: number | undefined;
}

/** Where one request comes from; every time it is sent it has another id. */
export type Sender = (offer: Offer) => Promise<Answered>;

/** Comes again within the second that callers are told, so that the load stays high. */
const MAX_PAUSE_MS = 1_000;
/** What a lost write holds is held until the window ends: with so many requests for each offer there is no use in coming again. */
const MAX_TIMES = 12;
const LIMITED: ReadonlySet<string> = new Set(['rate_limited', 'usage_limit_exceeded', 'too_many_at_once']);
/** No room in the local run's queue, which is not what is proved. */
const BUSY: ReadonlySet<string> = new Set(['overloaded', 'throttled']);

/** Sends the offers with these numbers; resolves with what came of every request that was sent. */
export async function drive(
  { scenario, index, numbers }: { scenario: Scenario; index: number; numbers: readonly number[] },
  callers: number,
  send: Sender,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = numbers.values();
  async function call(): Promise<void> {
    for (const number of left) {
      for (let time = 0; time === 0 || outcomes.length < MAX_TIMES * numbers.length; time += 1) {
        const offer = { ...toOffer(scenario, number), id: makeId(index, number, time) };
        const { code, retryAfterSeconds, window } = await send(offer);
        outcomes.push({ offer: { ...offer, window }, code });
        const isHeld = LIMITED.has(code) && retryAfterSeconds === 1 && scenario.windows === 1;
        if (!isHeld && !BUSY.has(code)) break;
        await sleep(Math.random() * MAX_PAUSE_MS);
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, call));
  return outcomes;
}

/** Users, addresses, neurons and windows take turns independently: the quotient moves on where the remainder begins anew. */
function toOffer({ users, addresses, neurons, windows }: Scenario, number: number): Omit<Offer, 'id'> {
  const window = number % windows;
  const rest = Math.floor(number / windows);
  return {
    user: users === 0 ? 0 : rest % users,
    address: Math.floor(rest / Math.max(1, users)) % addresses,
    neuron: rest % neurons,
    window,
  };
}
