// The parts of a run that the template determines: API, functions, streams, schedules. A reload replaces all of them.

import { join } from 'node:path';
import { readMappings } from './dynamodb/mapping.ts';
import { openPositions } from './dynamodb/positions.ts';
import { startStreams } from './dynamodb/streams.ts';
import { readTables } from './dynamodb/table-definition.ts';
import { applyTables } from './dynamodb/tables.ts';
import { startTtlSweep } from './dynamodb/ttl.ts';
import { createFunctions } from './functions/index.ts';
import { startRestApi } from './http/index.ts';
import { readSchedules, startSchedules } from './schedules.ts';
import type { Stores } from './stores.ts';
import type { ResolvedStack } from './template/types.ts';

export interface ApplicationSettings {
  readonly stores: Stores;
  readonly dataFolder: string;
  readonly logFolder: string;
  readonly port: number;
  readonly stage: string | undefined;
  readonly concurrency: number;
  /** Variables of every function besides those in the template. */
  readonly environment: Readonly<Record<string, string>>;
  readonly ca: string | undefined;
  readonly loopbackSymbol: string | undefined;
  readonly compileCacheFolder: string | undefined;
  readonly trustForwardedFor: boolean;
  readonly ttlSweepMs: number;
  readonly log: (line: string) => void;
  /** Receives lines that are shown with `verbose` only. */
  readonly detail: (line: string) => void;
}

interface Application {
  readonly url: string;
  readonly port: number;
  readonly stacks: readonly ResolvedStack[];
  /** Lets requests under way end, then ends all processes of functions. */
  stop(): Promise<void>;
}

/** A template that runs, whichever it is at the moment. */
interface ReloadableApplication {
  current(): Application;
  /** Switches to the newer template. If that fails, the old one runs again. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs stacks whose types and properties have been checked.
 * @param readNext reads the newer template for a reload
 * @throws LocalFailure `PORT_TAKEN`, `TABLE_NOT_CHANGEABLE` or `TEMPLATE_NOT_SUPPORTED`; what was started is stopped again, while
 *   tables that were created stay
 */
export async function runApplication(
  first: readonly ResolvedStack[],
  readNext: () => readonly ResolvedStack[],
  settings: ApplicationSettings,
): Promise<ReloadableApplication> {
  let application = await startApplication(first, settings);
  // Callers know the port, also if a free one was chosen.
  const again = { ...settings, port: application.port };
  const reload = async () => {
    const next = readNext();
    const { stacks } = application;
    await application.stop();
    try {
      application = await startApplication(next, again);
    } catch (error) {
      application = await startApplication(stacks, again);
      throw error;
    }
  };
  let last: Promise<void> = Promise.resolve();
  return {
    current: () => application,
    // One after the other: two at once would compete for the port.
    reload: () => {
      last = last.catch(() => undefined).then(reload);
      return last;
    },
    stop: async () => {
      await last.catch(() => undefined);
      await application.stop();
    },
  };
}

async function startApplication(
  stacks: readonly ResolvedStack[],
  settings: ApplicationSettings,
): Promise<Application> {
  const { stores, log, detail } = settings;
  const { call, features } = stores;
  const tables = readTables(stacks);
  // These throw on anything unsupported, before the first table is created.
  const mappings = features.streams ? readMappings(stacks) : [];
  const schedules = readSchedules(stacks, Date.now());
  const positions = openPositions(join(settings.dataFolder, 'stream-positions.json'));
  await applyTables(tables, { call, features, log, detail });
  const functions = createFunctions({ ...settings, stacks });
  const api = await startRestApi({ ...settings, stacks, functions }).catch(async (error: unknown) => {
    await functions.stop();
    throw error;
  });
  const invoke = (arn: string, event: unknown) => functions.invoke(arn, event);
  const streams = startStreams({ mappings, call, positions, invoke, log });
  const running = startSchedules({ schedules, invoke, log });
  const sweep = startTtlSweep({ tables, call, intervalMs: settings.ttlSweepMs, log });
  return {
    url: api.url,
    port: api.port,
    stacks,
    stop: async () => {
      await api.stop();
      running.stop();
      // Together: a batch under way ends when its function does.
      await Promise.all([streams.stop(), sweep.stop(), functions.stop()]);
      detail('API and functions have stopped');
    },
  };
}
