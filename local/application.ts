// What the template itself determines: API, functions, streams, schedules. A reload replaces it as a whole.

import { join } from 'node:path';
import { readMappings } from './dynamodb/mapping.ts';
import { openPositions } from './dynamodb/positions.ts';
import { startStreams } from './dynamodb/streams.ts';
import { readTables } from './dynamodb/table-definition.ts';
import { applyTables } from './dynamodb/tables.ts';
import { startTtlSweep } from './dynamodb/ttl.ts';
import { readSchedules, startSchedules } from './events/schedules.ts';
import { createFunctions, type Functions } from './functions/index.ts';
import { type RunningRestApi, startRestApi } from './http/index.ts';
import { applySecrets } from './secrets/template-secrets.ts';
import type { Stores } from './stores.ts';
import type { ResolvedStack } from './template/types.ts';

/** Settings for starting a template, besides the template. */
export interface ApplicationSettings {
  readonly stores: Stores;
  readonly dataFolder: string;
  readonly logFolder: string;
  readonly port: number;
  readonly stage: string | undefined;
  readonly concurrency: number;
  /** Variables for every function besides the template's. */
  readonly environment: Readonly<Record<string, string>>;
  readonly ca: string | undefined;
  readonly loopbackSymbol: string | undefined;
  readonly trustForwardedFor: boolean;
  readonly ttlSweepMs: number;
  /** Receives lines for everybody. */
  readonly log: (line: string) => void;
  /** Receives lines for those who ask for details. */
  readonly detail: (line: string) => void;
}

/** A template that runs. */
export interface Application {
  readonly url: string;
  readonly port: number;
  readonly stacks: readonly ResolvedStack[];
  /** Lets requests under way end, and then all processes of functions. */
  stop(): Promise<void>;
}

/** Resolves the stacks again after the functions of custom resources have answered; without any, returns the same stacks. */
export type FinishStacks = (functions: Functions) => Promise<readonly ResolvedStack[]>;

/**
 * Starts a template whose types and properties have been checked. When it fails, what it started is stopped again; tables
 * that were created stay.
 * @throws LocalFailure; an error with code `PORT_TAKEN` or `TEMPLATE_NOT_SUPPORTED`
 */
export async function startApplication(
  first: readonly ResolvedStack[],
  finish: FinishStacks,
  settings: ApplicationSettings,
): Promise<Application> {
  const { stores, log, detail } = settings;
  const tables = readTables(first);
  // These throw on anything unsupported or unreadable, before the first table is created.
  const mappings = stores.features.streams ? readMappings(first) : [];
  const schedules = readSchedules(first, Date.now());
  const positions = openPositions(join(settings.dataFolder, 'stream-positions.json'));
  await applyTables(tables, { call: stores.call, features: stores.features, log, detail });
  applySecrets(first, stores.secrets, Math.floor(Date.now() / 1000));
  const { stacks, functions } = await startFunctions(first, finish, settings);
  const api = await startApi(stacks, functions, settings);
  const invoke = (arn: string, event: unknown) => functions.invoke(arn, event);
  const streams = startStreams({ mappings, call: stores.call, positions, invoke, log });
  const running = startSchedules({ schedules, invoke, log });
  const sweep = startTtlSweep({ tables, call: stores.call, intervalMs: settings.ttlSweepMs, log });
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

async function startFunctions(
  first: readonly ResolvedStack[],
  finish: FinishStacks,
  settings: ApplicationSettings,
): Promise<{ stacks: readonly ResolvedStack[]; functions: Functions }> {
  const create = (stacks: readonly ResolvedStack[]) => createFunctions({ ...settings, stacks });
  const functions = create(first);
  try {
    const stacks = await finish(functions);
    if (stacks === first) return { stacks, functions };
    // The answers of custom resources may be in the variables of any function.
    await functions.stop();
    return { stacks, functions: create(stacks) };
  } catch (error) {
    await functions.stop();
    throw error;
  }
}

async function startApi(
  stacks: readonly ResolvedStack[],
  functions: Functions,
  settings: ApplicationSettings,
): Promise<RunningRestApi> {
  const { port, stage, trustForwardedFor, log } = settings;
  try {
    return await startRestApi({ stacks, functions, port, stage, trustForwardedFor, log });
  } catch (error) {
    await functions.stop();
    throw error;
  }
}
