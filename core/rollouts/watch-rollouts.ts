// Looks at all rollouts that are going on, and stops those whose candidate is worse than the control.
import type { SlotReader, WatchedNeuron } from '../ports/rollout-watch.ts';
import type { Clock } from '../time/clock.ts';
import { toIso } from '../time/iso.ts';
import { advance, type GuardState, NO_EVIDENCE } from './guard-state.ts';
import { slotsOf } from './read-slots.ts';
import { finishStop, type StopPorts, stopRollout } from './stop-rollout.ts';

export interface WatchPorts extends StopPorts {
  readonly slots: SlotReader;
  readonly clock: Pick<Clock, 'now'>;
  readonly slotMs: number;
}

/** The evidence up to a slot. Only a saving: without it all slots are read again. */
interface KnownEvidence {
  readonly state: GuardState;
  readonly upTo: string;
}

export type RolloutMemory = Map<string, KnownEvidence>;

/** A rollout that was called within this time is going on. */
const RECENT_MS = 10 * 60_000;
/** A row may still be written that was planned in the last moment of its slot. */
const CLOSED_AFTER_MS = 2_000;

/** Throws once all rollouts were looked at, where one could not be. */
export async function watchRollouts(ports: WatchPorts, memory: RolloutMemory): Promise<void> {
  const nowMs = ports.clock.now();
  const closed = toIso(nowMs - CLOSED_AFTER_MS - ports.slotMs + 1);
  const found = new Map<string, { readonly organization: string; readonly neuron: string }>();
  for await (const { subject, neuron } of ports.slots.slots(toIso(nowMs - RECENT_MS), toIso(nowMs)))
    found.set(subject.rollout, { organization: subject.organization, neuron });
  for (const key of memory.keys()) if (!found.has(key.split(' ')[0] ?? '')) memory.delete(key);
  const looks = [...found].map(async ([id, { organization, neuron }]) => {
    const watched = await ports.rollouts.read(organization, neuron);
    if (watched?.rollout.id === id) await watchOne(watched, { closed, nowMs }, ports, memory);
  });
  const failed = (await Promise.allSettled(looks)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
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
  if (stop !== undefined) {
    if (!stop.isTold) await finishStop({ ...neuron, rollout: { ...neuron.rollout, stop } }, ports);
    return;
  }
  if (guards.length === 0 || guardedSince === undefined || basisPoints === 0) return;
  const key = `${id} ${guardedSince}`;
  const known = memory.get(key) ?? { state: NO_EVIDENCE, upTo: guardedSince };
  const rows = [];
  for await (const row of ports.slots.slots(known.upTo, closed))
    if (row.subject.rollout === id) rows.push(row);
  const slots = slotsOf(rows, id);
  const state = slots.reduce((before, slot) => advance(before, guards, slot), known.state);
  memory.set(key, { state, upTo: slots.at(-1)?.slot ?? known.upTo });
  if (state.tripped !== undefined) await stopRollout(neuron, state.tripped, toIso(nowMs), ports);
}
