// Looks at all rollouts that are going on, and stops those whose candidate is worse than the control.
import type { RecordedRollout } from '../ports/administration.ts';
import type { SlotReader, WatchedNeuron } from '../ports/rollout-watch.ts';
import type { Clock } from '../time/clock.ts';
import { toIso } from '../time/iso.ts';
import { advance, type GuardState, NO_EVIDENCE } from './guard-state.ts';
import { slotsOf } from './read-slots.ts';
import { finishStop, type StopPorts, stopRollout } from './stop-rollout.ts';

export interface WatchPorts extends StopPorts {
  readonly slots: SlotReader;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly slotMs: number;
}

/** The evidence up to a slot. Mostly a saving: without it all slots are read again. */
interface KnownEvidence {
  /** As the rollout has it: with another one the evidence begins anew. */
  readonly guardedSince: string | undefined;
  readonly state: GuardState;
  readonly upTo: string;
  /** When the rollout was looked at last, by the clock of this function. */
  readonly lookedAt: string;
}

/** By the rollout's id. */
export type RolloutMemory = Map<string, KnownEvidence>;

/** A rollout that was called within this time is going on. */
const RECENT_MS = 10 * 60_000;
/** So long a rollout that nobody calls is remembered, for its next resumption. */
const REMEMBERED_MS = 24 * 60 * 60_000;
/** A row may still be written that was planned in the last moment of its slot. */
const CLOSED_AFTER_MS = 2_000;

/** Looks again once a slot is over in which a candidate fails. Throws once all rollouts were looked at, where one could not be. */
export async function watchRollouts(ports: WatchPorts, memory: RolloutMemory): Promise<void> {
  const failing = await look(ports, memory);
  if (failing === undefined) return;
  const overMs = Date.parse(failing) + ports.slotMs + CLOSED_AFTER_MS;
  await ports.clock.sleep(Math.max(0, overMs - ports.clock.now()));
  await look(ports, memory);
}

/** Returns the slot that is not over in which a candidate fails; undefined where there is none. */
async function look(ports: WatchPorts, memory: RolloutMemory): Promise<string | undefined> {
  const nowMs = ports.clock.now();
  const closed = toIso(nowMs - CLOSED_AFTER_MS - ports.slotMs + 1);
  const found = new Map<string, { readonly organization: string; readonly neuron: string }>();
  let failing: string | undefined;
  const recent = ports.slots.slots(toIso(nowMs - RECENT_MS), toIso(nowMs));
  for await (const { subject, neuron, amounts } of recent) {
    found.set(subject.rollout, { organization: subject.organization, neuron });
    const isOpen = subject.slot >= closed && subject.arm === 'candidate' && amounts.failed > 0;
    if (isOpen) failing = subject.slot;
  }
  const forgotten = toIso(nowMs - REMEMBERED_MS);
  for (const [id, { lookedAt }] of memory) if (lookedAt < forgotten) memory.delete(id);
  const looks = [...found].map(async ([id, { organization, neuron }]) => {
    const watched = await ports.rollouts.read(organization, neuron);
    if (watched?.rollout.id === id) await watchOne(watched, { closed, nowMs }, ports, memory);
  });
  const failed = (await Promise.allSettled(looks)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return failing;
}

interface Look {
  /** Slots that begin before are over. */
  readonly closed: string;
  readonly nowMs: number;
}

async function watchOne(
  neuron: WatchedNeuron,
  { closed, nowMs }: Look,
  ports: WatchPorts,
  memory: RolloutMemory,
): Promise<void> {
  const { id, guards = [], guardedSince, stop, basisPoints } = neuron.rollout;
  const lookedAt = toIso(nowMs);
  const known = memory.get(id);
  if (stop !== undefined && !stop.isTold)
    await finishStop({ ...neuron, rollout: { ...neuron.rollout, stop } }, ports);
  if (stop !== undefined || guards.length === 0 || guardedSince === undefined || basisPoints === 0) {
    const none = { guardedSince, state: NO_EVIDENCE, upTo: lookedAt };
    memory.set(id, { ...(known ?? none), lookedAt });
    return;
  }
  const { state: before, upTo } =
    known?.guardedSince === guardedSince
      ? known
      : { state: NO_EVIDENCE, upTo: beginEvidence({ ...neuron.rollout, guardedSince }, known, nowMs) };
  const rows = [];
  for await (const row of ports.slots.slots(upTo, closed)) if (row.subject.rollout === id) rows.push(row);
  const slots = slotsOf(rows, id);
  const state = slots.reduce((earlier, slot) => advance(earlier, guards, slot), before);
  memory.set(id, { guardedSince, state, upTo: slots.at(-1)?.slot ?? upTo, lookedAt });
  if (state.tripped !== undefined) await stopRollout(neuron, state.tripped, lookedAt, ports);
}

/**
 * The time after which slots are evidence. `guardedSince` is of the clock of whoever began or resumed the rollout, which may be ahead, and would
 * blind the guards, or behind, and would count failures of before again: the looks before and after it are of this function's own.
 */
function beginEvidence(
  { since, guardedSince }: RecordedRollout & { readonly guardedSince: string },
  known: KnownEvidence | undefined,
  nowMs: number,
): string {
  if (guardedSince > toIso(nowMs)) {
    // One that was never resumed has no runs of before.
    return guardedSince === since ? toIso(nowMs - RECENT_MS) : toIso(nowMs);
  }
  return known !== undefined && known.lookedAt > guardedSince ? known.lookedAt : guardedSince;
}
