// Shows guards what a model answers, before each piece of it leaves.
import { ServiceError } from '../../contract/service-error.ts';
import type { GuardedSink } from '../../flow/step.ts';
import type { AttemptSink } from '../../flow/stream-attempt.ts';
import type { ActiveGuard } from '../active-guards.ts';
import { strictest } from '../block.ts';
import { cleanCall } from '../calls/call-ids.ts';
import type { Find } from '../find.ts';
import { createHoldBack, type HoldBack } from '../hold-back.ts';
import { actsOnText, inspectThought, TOOL_CALLS } from '../inspect-answer.ts';
import { type InspectPlace, inspectCall } from '../inspect-conversation.ts';
import { createReplace, type GuardState, inspectTexts, toCuts, withoutOwn } from '../inspect-texts.ts';
import type { Piece } from '../split.ts';

type Item = () => Promise<void>;

/**
 * The same sink behind the guards. Throws `guard_blocked` before anything of what is blocked has left. Counts nothing: the whole answer is
 * inspected when it is there.
 */
export function guardSink(sink: AttemptSink, whole: GuardState): GuardedSink {
  let blocked: ActiveGuard | undefined;
  const rejectBy = (blocking: readonly ActiveGuard[]): never => {
    blocked = strictest(blocking);
    throw new ServiceError('guard_blocked');
  };
  const inspect: InspectPlace = (place, texts) => {
    const blocking: ActiveGuard[] = [];
    const counts = { add: () => undefined, list: () => [] };
    const inspected = inspectTexts({ ...whole, counts, block: (one) => blocking.push(one) }, place, texts);
    return blocking.length > 0 ? rejectBy(blocking) : inspected;
  };
  const held = holdText(whole, rejectBy);
  const send = async (released: readonly Piece<Item>[]): Promise<void> => {
    for (const one of released) {
      if ('item' in one) await one.item();
      else await sink.text(one.text);
    }
  };
  const guarded: AttemptSink = {
    // `passed` events go on as they are: `requireSeen` ends their requests where a guard does more than flag (lambdas/execute/guards/blocked.ts).
    ...sink,
    text: async (text) => send(held.push(text)),
    async toolCall(call) {
      const inspected = cleanCall(inspectCall(call, TOOL_CALLS, inspect), whole.callIds);
      await send(held.put(() => sink.toolCall(inspected)));
    },
    async thought(thought) {
      const [block] = inspectThought({ type: 'thought', thought }, { guards: whole.guards, inspect });
      if (block?.type !== 'thought') return;
      await send(held.put(async () => sink.thought?.(block.thought)));
    },
    async end() {
      await send(held.end());
      await sink.end?.();
    },
  };
  return { sink: guarded, blockedText: () => blocked?.text };
}

/** `rejectBy` is called with the guards that block, and throws. */
function holdText(
  { guards, placeholders }: GuardState,
  rejectBy: (blocking: readonly ActiveGuard[]) => never,
): HoldBack<Item> {
  const acting = guards.filter(actsOnText);
  const replace = createReplace(placeholders);
  const findIn = (guard: ActiveGuard, text: string, from: number) =>
    withoutOwn(guard.find(text, from), text, placeholders);
  /** The text in which the last cuts were made. */
  let last = { text: '', from: 0 };
  return createHoldBack<Item>(
    {
      cutsOf(text, from) {
        last = { text, from };
        return acting.flatMap((guard) => toCuts(guard, findIn(guard, text, from)));
      },
      openFrom: (text, from) =>
        Math.min(text.length, ...acting.map(({ openFrom }) => openFrom?.(text, from) ?? 0)),
    },
    (cut, value) => {
      if (cut.action !== 'block') return replace(cut, value);
      const isIn = ({ start, end }: Find) => start < cut.end && end > cut.start;
      const blocking = acting.filter(({ action }) => action === 'block');
      return rejectBy(blocking.filter((guard) => findIn(guard, last.text, last.from).some(isIn)));
    },
  );
}
