// Puts the ports of the function that watches rollouts together.
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { createDocumentClient } from '../../adapters/dynamodb/client.ts';
import { createRepeatableChanges } from '../../adapters/dynamodb/rollouts/repeatable-changes.ts';
import { createSlotReader } from '../../adapters/dynamodb/rollouts/slot-reader.ts';
import { createWatchedRollouts } from '../../adapters/dynamodb/rollouts/watched-rollouts.ts';
import { createRolloutEvents } from '../../adapters/notifications/channels.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import type { WatchPorts } from '../../core/rollouts/watch-rollouts.ts';
import { ROLLOUT_SLOT_MS } from '../../core/usage/slot-row.ts';
import type { RolloutsEnvironment } from '../environment.ts';

/** Nobody waits for this function. */
const LIMITS = { maxAttempts: 3, connectionTimeout: 1_000, requestTimeout: 3_000 };

/** Made once per environment, when the bundle loads. */
export function compose(environment: RolloutsEnvironment): WatchPorts {
  const { stage, configTable, usageTable, logsTable, alertEventBus } = environment;
  const documents = createDocumentClient(LIMITS);
  return {
    slots: createSlotReader(documents, usageTable),
    rollouts: createWatchedRollouts(documents, configTable),
    changes: createRepeatableChanges(createChangeLog(documents, logsTable, systemClock)),
    events: createRolloutEvents(alertEventBus),
    clock: systemClock,
    lines: standardOutput,
    slotMs: ROLLOUT_SLOT_MS,
    stage,
  };
}
