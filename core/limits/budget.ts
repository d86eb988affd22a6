// The budget of one run: reservations at admission and before each model call, and their settlement at its end, which end/end-run.ts asks
// for and sends.

import { ServiceError } from '../contract/service-error.ts';
import type { Settlement } from '../ports/counters.ts';
import type { RateLimitView } from '../surfaces/surface.ts';
import { type Account, openAccounts, toLeaseRemoval, toSettlement } from './account.ts';
import { addToBalance, type Balance, EMPTY_BALANCE } from './balance.ts';
import { rejectExhausted } from './exhausted-limits.ts';
import type { LimitedCounter } from './plan-counters.ts';
import { selectRateLimitView } from './rate-limit-view.ts';
import { type ReserveContext, reserveAll } from './reserve.ts';

/** Tokens and cost of one attempt. The cost is null for a model without a price. */
export interface Spending {
  readonly tokens: number;
  readonly costMicrodollars: number | null;
}

/** Tokens and cost that are reserved for one attempt. */
export interface Reservation {
  /** Commits the spending and releases the rest. Only the first call counts. Without one, the whole reservation counts as spent. */
  settle(spent: Spending): void;
}

/** Events of a run's limits for the operator, in the log line and as metrics. */
export interface LimitIncidents {
  /** Attempts that spent more than their reservation; they are counted in full. */
  readonly reservationsExceeded: number;
  /** Counters that failed. */
  readonly countersUnavailable: number;
}

/**
 * Reservations are made one after the other: a second one beside another throws, since the account knows one write at a time. They throw
 * `ServiceError` as `reserveAll` does, and `configuration` (500) when cost is limited and the model has no price.
 */
export interface Budget {
  /** True when tokens or cost are limited. Otherwise there is nothing to reserve but the request. */
  readonly limitsSpending: boolean;
  /** Throws the 429 of a request that spends at least `least` and one of whose limits is known to be exhausted. Reserves nothing. */
  rejectExhausted(least: Spending | undefined): Promise<void>;
  /** Counts the request and reserves the estimate of its first attempt. To be called once, before the other methods. */
  admit(firstAttempt: Spending | undefined): Promise<void>;
  /** Before each attempt of a model call, with the most that it can use. The first one takes over the reservation of `admit`. */
  reserveAttempt(estimate: Spending): Promise<Reservation>;
  /** For anything else, such as an embedding, in addition to the reservation of `admit`. */
  reserve(estimate: Spending): Promise<Reservation>;
  /**
   * Ends the run: releases the reservation of `admit` unless an attempt took it over. Returns the settlements to send; reserve nothing
   * afterwards. Beside a reservation there are none: its writes may have been made or not, and all of it stays held until the windows end.
   */
  close(): readonly Settlement[];
  /** The limit that the caller may see; undefined without one. */
  rateLimit(): RateLimitView | undefined;
  incidents(): LimitIncidents;
}

const NO_SPENDING: Spending = { tokens: 0, costMicrodollars: 0 };

/** A budget without any reservation yet. */
export function openBudget(
  counters: readonly LimitedCounter[],
  ports: Omit<ReserveContext, 'onCounterFailure'>,
): Budget {
  const incidents = { reservationsExceeded: 0, countersUnavailable: 0 };
  const context: ReserveContext = {
    ...ports,
    onCounterFailure() {
      incidents.countersUnavailable += 1;
    },
  };
  const accounts = openAccounts(counters);
  const limitsCost = isLimited(counters, 'cost');
  let balance: Balance = EMPTY_BALANCE;
  let preReserved: Spending = NO_SPENDING;
  const writing = oneAtATime((target: Balance) => reserveAll(accounts, target, context));

  async function reserve(requests: number, estimate: Spending, replaced: Spending): Promise<Reservation> {
    if (limitsCost && estimate.costMicrodollars === null) throw priceMissing();
    const add = (to: Balance): Balance =>
      addRequests(addHeld(addHeld(to, replaced, -1), estimate, 1), requests);
    await writing.run(add(balance));
    // Applied to the current balance: another reservation may have been settled during the writes.
    balance = add(balance);
    let isOpen = true;
    return {
      settle(spent) {
        if (!isOpen) return;
        isOpen = false;
        balance = addSpent(addHeld(balance, estimate, -1), spent, estimate);
        if (exceeds(spent, estimate)) incidents.reservationsExceeded += 1;
      },
    };
  }

  const finalBalance = (): Balance => commitHeld(addHeld(balance, preReserved, -1));

  return {
    limitsSpending: limitsCost || isLimited(counters, 'tokens'),
    rejectExhausted: (least = NO_SPENDING) => rejectExhausted(accounts, admissionOf(least), context),
    async admit(firstAttempt = NO_SPENDING) {
      await reserve(1, firstAttempt, NO_SPENDING);
      preReserved = firstAttempt;
    },
    async reserveAttempt(estimate) {
      const reservation = await reserve(0, estimate, preReserved);
      preReserved = NO_SPENDING;
      return reservation;
    },
    reserve: (estimate) => reserve(0, estimate, NO_SPENDING),
    close() {
      balance = finalBalance();
      preReserved = NO_SPENDING;
      return writing.isRunning() ? [] : settlementsOf(accounts, balance);
    },
    rateLimit: () => selectRateLimitView(accounts, finalBalance(), context.timeMs),
    incidents: () => incidents,
  };
}

/** The account knows one write at a time: what a second one beside it added would be lost. */
function oneAtATime(write: (target: Balance) => Promise<void>) {
  let isRunning = false;
  return {
    isRunning: () => isRunning,
    async run(target: Balance): Promise<void> {
      if (isRunning) throw new Error('a reservation of this run is under way');
      isRunning = true;
      try {
        await write(target);
      } finally {
        isRunning = false;
      }
    },
  };
}

/** The balance minus what is `recorded`, which confirmed writes alone raise. */
function settlementsOf(accounts: readonly Account[], balance: Balance): readonly Settlement[] {
  return accounts.flatMap((account) =>
    [toSettlement(account, balance), toLeaseRemoval(account)].flatMap((one) => one ?? []),
  );
}

function isLimited(counters: readonly LimitedCounter[], wanted: 'tokens' | 'cost'): boolean {
  return counters.some(({ limits }) => limits.some(({ metric }) => metric === wanted));
}

function priceMissing(): ServiceError {
  return new ServiceError('configuration', { reason: 'a cost limit applies to a model without a price' });
}

const NO_AMOUNTS = { requests: 0, tokens: 0, cost: 0, concurrent: 0 };

/** A request counts as used from its admission on, and its run as held. */
function addRequests(balance: Balance, requests: number): Balance {
  return addToBalance(balance, { ...NO_AMOUNTS, requests }, { ...NO_AMOUNTS, concurrent: requests });
}

/** The balance that `admit` reserves. */
function admissionOf(firstAttempt: Spending): Balance {
  return addHeld(addRequests(EMPTY_BALANCE, 1), firstAttempt, 1);
}

function addHeld(balance: Balance, { tokens, costMicrodollars }: Spending, sign: 1 | -1): Balance {
  const held = { ...NO_AMOUNTS, tokens: sign * tokens, cost: sign * (costMicrodollars ?? 0) };
  return addToBalance(balance, NO_AMOUNTS, held);
}

/** An unknown cost counts as the estimate. */
function addSpent(balance: Balance, spent: Spending, estimate: Spending): Balance {
  const cost = spent.costMicrodollars ?? estimate.costMicrodollars ?? 0;
  return addToBalance(balance, { ...NO_AMOUNTS, tokens: spent.tokens, cost }, NO_AMOUNTS);
}

/** A reservation that was never settled may have been spent in full. The run itself is no longer held. */
function commitHeld(balance: Balance): Balance {
  const { tokens, cost, concurrent } = balance;
  const used = { ...NO_AMOUNTS, tokens: tokens.held, cost: cost.held };
  const held = { requests: 0, tokens: -tokens.held, cost: -cost.held, concurrent: -concurrent.held };
  return addToBalance(balance, used, held);
}

function exceeds(spent: Spending, estimate: Spending): boolean {
  const exceedsCost = (spent.costMicrodollars ?? 0) > (estimate.costMicrodollars ?? 0);
  return spent.tokens > estimate.tokens || exceedsCost;
}
