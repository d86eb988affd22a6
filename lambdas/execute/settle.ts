// After the answer: tells the counters what was used of what the run had reserved.
import { type SettlementPorts, sendSettlement } from '../../core/limits/send-settlement.ts';
import type { Run } from './run.ts';

/** What settling needs. */
export type SettlePorts = SettlementPorts;

/** Never throws: what is lost stays held until its window ends. The line has the amounts. */
export async function settle({ budget }: Run, ports: SettlePorts): Promise<void> {
  const settlements = budget?.close() ?? [];
  await Promise.all(settlements.map((one) => sendSettlement(one, ports).catch(() => undefined)));
}
