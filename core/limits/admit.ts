// Takes what a run wants of every counter that limits it, or of none.
//
// Never more: a counter changes only by one conditional write that adds an amount where all that is taken stays within the limit,
// and by settlements that take away no more than this run itself is known to have added before.
import { CounterFailure, isThrottle } from '../ports/counters.ts';
import {
  type Account,
  changesTo,
  needsWrite,
  settlementOf,
  updateSnapshot,
  type WantedChange,
} from './account.ts';
import type { AdmitContext } from './admit-context.ts';
import type { Balance } from './balance.ts';
import { counterError, limitError } from './errors.ts';
import { explain, isExhausted, rejectExhausted } from './exhausted-limits.ts';
import type { CounterItem } from './plan-counters.ts';
import type { Verdict } from './verdict.ts';

interface Taken {
  readonly account: Account;
  readonly before: Balance;
}

/**
 * Asks the counters in turn, one conditional write each; a counter that already covers what is wanted is not asked. At the first
 * that refuses or fails, those before it get back what they gave. Throws `ServiceError`: `rate_limited` or `usage_limit_exceeded`
 * (429), `overloaded` or `dependency_unavailable` (503).
 */
export async function reserveAll(
  accounts: readonly Account[],
  wanted: Balance,
  context: AdmitContext,
): Promise<void> {
  await rejectExhausted(accounts, wanted, context);
  const taken: Taken[] = [];
  for (const account of accounts) {
    try {
      const before = account.recorded;
      await takeOf(account, wanted, context);
      taken.push({ account, before });
    } catch (refusal) {
      await Promise.all(taken.map((one) => release(one, context)));
      throw refusal;
    }
  }
}

/** A shard that is full or busy is followed by the others. */
async function takeOf(account: Account, wanted: Balance, context: AdmitContext): Promise<void> {
  const verdicts: Verdict[] = [];
  let failure: CounterFailure | undefined;
  for (const item of inTurn(account, context)) {
    const changes = changesTo(account, item, wanted);
    if (!needsWrite(changes)) return;
    const recorded = await askOnce(account, { item, changes, wanted }, context);
    if (recorded === 'taken') return;
    if (!(recorded instanceof CounterFailure)) {
      verdicts.push(recorded);
      continue;
    }
    failure = recorded;
    // That write may have been made all the same: what it added is in no account, and so nothing ever takes it away.
    if (recorded.kind === 'unknown') break;
  }
  if (failure === undefined) throw limitError(account.counter, verdicts, context.timeMs);
  context.onFailure();
  if (!context.admitsUncounted) throw counterError(failure);
}

/** What the item said, or how it failed to. */
async function askOnce(
  account: Account,
  { item, changes, wanted }: { item: CounterItem; changes: readonly WantedChange[]; wanted: Balance },
  context: AdmitContext,
): Promise<'taken' | Verdict | CounterFailure> {
  if (isExhausted(item, changes, context)) return 'used';
  const { counters, timeMs, keepMs } = context;
  const expiresAt = Math.ceil((account.counter.window.endMs + keepMs) / 1000);
  const limited = changes.map(({ metric, taken, held, limit }) => ({ metric, taken, held, limit }));
  try {
    const outcome = await counters.take({ key: item.key, changes: limited, atMs: timeMs, expiresAt });
    if (!outcome.taken) return await explain(account, { item, changes, refusedBy: outcome.state }, context);
    account.item = item;
    account.recorded = wanted;
    updateSnapshot(account, outcome.state);
    return 'taken';
  } catch (thrown) {
    if (thrown instanceof CounterFailure) return thrown;
    throw thrown;
  }
}

/** The shards from a random one on. They count requests alone, which are taken once: no run has a share in two of them. */
function inTurn({ counter: { items } }: Account, { random }: AdmitContext): readonly CounterItem[] {
  const first = Math.floor(random.fraction() * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

/** When it is lost, the counter is stricter until its window ends. When it was certainly not made, the end of the run makes it. */
async function release({ account, before }: Taken, { counters }: AdmitContext): Promise<void> {
  const settlement = settlementOf(account, before);
  const { recorded } = account;
  account.recorded = before;
  if (settlement === undefined) return;
  await counters.settle(settlement).catch((thrown: unknown) => {
    if (isThrottle(thrown)) account.recorded = recorded;
  });
}
