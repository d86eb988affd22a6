// The budget of one run: what it takes of its limits at admission, before each attempt of a model call, and what it settles.
import { ServiceError } from '../contract/service-error.ts';
import type { Settlement } from '../ports/counters.ts';
import { openAccounts, settlementOf } from './account.ts';
import { reserveAll } from './admit.ts';
import type { AdmitContext } from './admit-context.ts';
import { type Balance, change, EMPTY } from './balance.ts';
import type { LimitedCounter } from './plan-counters.ts';
import { type RateLimitView, viewOf } from './rate-limit-view.ts';

/** Tokens and cost of one attempt; the cost is null where the model has no price. */
export interface Spending {
  readonly tokens: number;
  readonly costMicrodollars: number | null;
}

/** Leave to spend a reservation. */
export interface Grant {
  /** Books what was spent; only the first call counts. A grant that is never settled is spent whole. */
  settle(spent: Spending): void;
}

/** What went otherwise than limits expect, for the operator. */
export interface LimitIncidents {
  /** Reservations beyond which a provider spent: booked in full. */
  readonly reservationsExceeded: number;
  /** Counters that could not be asked. */
  readonly countersUnavailable: number;
}

/** Reservations of one run are made one after the other. They throw `ServiceError` like `reserveAll`, and `configuration` without a price. */
export interface Budget {
  /** True where tokens or cost are limited: only then is there anything to reserve. */
  readonly limitsSpending: boolean;
  /** Counts the request and sets aside what its first attempt may spend. The first call, and made once. */
  admit(firstAttempt: Spending | undefined): Promise<void>;
  /** For an attempt of a model call: what admission set aside is used first. */
  reserveAttempt(most: Spending): Promise<Grant>;
  /** For anything else, such as an embedding, beside what admission set aside. */
  reserve(most: Spending): Promise<Grant>;
  /** Ends the run: lets go of what was set aside, and says what each counter is still to be recorded. Nothing is to be reserved afterwards. */
  close(): readonly Settlement[];
  /** What the caller may know of its limits; undefined where it has none. */
  rateLimit(): RateLimitView | undefined;
  incidents(): LimitIncidents;
}

/** The spending of a request that reaches no model. */
const NOTHING: Spending = { tokens: 0, costMicrodollars: 0 };

/** A budget of which nothing is taken. */
export function openBudget(
  counters: readonly LimitedCounter[],
  ports: Omit<AdmitContext, 'onFailure'>,
): Budget {
  const incidents = { reservationsExceeded: 0, countersUnavailable: 0 };
  const context: AdmitContext = {
    ...ports,
    onFailure() {
      incidents.countersUnavailable += 1;
    },
  };
  const accounts = openAccounts(counters);
  const limitsCost = isLimited(counters, 'cost');
  let balance: Balance = EMPTY;
  let preReserved: Spending = NOTHING;

  async function take(requests: number, most: Spending, released: Spending): Promise<Grant> {
    if (limitsCost && most.costMicrodollars === null) throw withoutPrice();
    const add = (to: Balance): Balance => withRequests(hold(hold(to, released, -1), most, 1), requests);
    await reserveAll(accounts, add(balance), context);
    // What was settled meanwhile stays settled.
    balance = add(balance);
    let isOpen = true;
    return {
      settle(spent) {
        if (!isOpen) return;
        isOpen = false;
        balance = spend(hold(balance, most, -1), spent, most);
        if (exceeds(spent, most)) incidents.reservationsExceeded += 1;
      },
    };
  }

  const closed = (): Balance => spendHeld(hold(balance, preReserved, -1));

  return {
    limitsSpending: limitsCost || isLimited(counters, 'tokens'),
    async admit(firstAttempt = NOTHING) {
      await take(1, firstAttempt, NOTHING);
      preReserved = firstAttempt;
    },
    async reserveAttempt(most) {
      const grant = await take(0, most, preReserved);
      preReserved = NOTHING;
      return grant;
    },
    reserve: (most) => take(0, most, NOTHING),
    close() {
      balance = closed();
      preReserved = NOTHING;
      return accounts.flatMap((account) => settlementOf(account, balance) ?? []);
    },
    rateLimit: () => viewOf(accounts, closed(), context.timeMs),
    incidents: () => incidents,
  };
}

function isLimited(counters: readonly LimitedCounter[], wanted: 'tokens' | 'cost'): boolean {
  return counters.some(({ limits }) => limits.some(({ metric }) => metric === wanted));
}

function withoutPrice(): ServiceError {
  return new ServiceError('configuration', { reason: 'a cost limit holds for a model without a price' });
}

const NO_AMOUNTS = { requests: 0, tokens: 0, cost: 0 };

function withRequests(balance: Balance, requests: number): Balance {
  return change(balance, { ...NO_AMOUNTS, requests }, NO_AMOUNTS);
}

function hold(balance: Balance, { tokens, costMicrodollars }: Spending, sign: 1 | -1): Balance {
  const held = { requests: 0, tokens: sign * tokens, cost: sign * (costMicrodollars ?? 0) };
  return change(balance, NO_AMOUNTS, held);
}

/** A cost that nobody knows is the one that was reserved. */
function spend(balance: Balance, spent: Spending, most: Spending): Balance {
  const cost = spent.costMicrodollars ?? most.costMicrodollars ?? 0;
  return change(balance, { requests: 0, tokens: spent.tokens, cost }, NO_AMOUNTS);
}

/** What was never settled may have been spent whole. */
function spendHeld(balance: Balance): Balance {
  const { tokens, cost } = balance;
  const used = { requests: 0, tokens: tokens.held, cost: cost.held };
  return change(balance, used, { requests: 0, tokens: -tokens.held, cost: -cost.held });
}

function exceeds(spent: Spending, most: Spending): boolean {
  const isDearer = (spent.costMicrodollars ?? 0) > (most.costMicrodollars ?? 0);
  return spent.tokens > most.tokens || isDearer;
}
