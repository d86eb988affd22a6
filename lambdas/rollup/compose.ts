// Puts the rollup function's ports together.
import { createAlertOutbox } from '../../adapters/dynamodb/alerts/outbox.ts';
import { createAlertWatch } from '../../adapters/dynamodb/alerts/watch.ts';
import { createDocumentClient } from '../../adapters/dynamodb/client.ts';
import { createOrganizationStore } from '../../adapters/dynamodb/config-store.ts';
import { createCounterStore } from '../../adapters/dynamodb/counters.ts';
import { createKeyAdmin } from '../../adapters/dynamodb/key-admin.ts';
import { createSealHeads } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import {
  createEventBusChannel,
  createFeedbackEvents,
  createTopicChannel,
} from '../../adapters/notifications/channels.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { systemRandom } from '../../adapters/platform/random.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { type Alerts, createAlerts } from '../../core/alerts/alerts.ts';
import { createLimitSource } from '../../core/alerts/limit-source.ts';
import { createSealing } from '../../core/logs/seals/sealing.ts';
import type { AlertChannel } from '../../core/ports/alerts.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { CountingPorts } from '../../core/usage/count-and-seal.ts';
import type { RollupEnvironment } from '../environment.ts';
import type { FeedbackPorts } from './feedback.ts';

export interface RollupPorts extends CountingPorts, Omit<FeedbackPorts, 'clock' | 'lines'> {
  readonly alerts: Alerts;
  readonly lines: LineSink;
}

/** Nobody waits for this function, and a transaction of a hundred writes takes longer than one write. */
const LIMITS = { maxAttempts: 3, connectionTimeout: 1_000, requestTimeout: 3_000 };

/** Made once per environment, when the bundle loads. */
export function compose(environment: RollupEnvironment): RollupPorts {
  const { configTable, keysTable, countersTable, usageTable, settingsTtlMs: ttlMs, stage } = environment;
  const documents = createDocumentClient(LIMITS);
  return {
    ledger: createUsageLedger(documents, usageTable),
    sealing: createSealing(createSealHeads(documents, usageTable), systemClock),
    alerts: createAlerts({
      limits: createLimitSource(
        {
          organizations: createOrganizationStore(documents, configTable),
          keys: createKeyAdmin(documents, keysTable),
        },
        systemClock,
        { ttlMs },
      ),
      counters: createCounterStore(documents, countersTable),
      outbox: createAlertOutbox(documents, usageTable),
      watch: createAlertWatch(documents, usageTable),
      channels: composeChannels(environment),
      clock: systemClock,
      random: systemRandom,
      stage,
    }),
    feedbackEvents: createFeedbackEvents(environment.alertEventBus),
    stage,
    clock: systemClock,
    random: systemRandom,
    lines: standardOutput,
  };
}

function composeChannels({ alertEventBus, alertTopicArn }: RollupEnvironment): readonly AlertChannel[] {
  return [
    createEventBusChannel(alertEventBus),
    ...(alertTopicArn === undefined ? [] : [createTopicChannel(alertTopicArn)]),
  ];
}
