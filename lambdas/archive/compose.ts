// Puts the archive function's ports together.
import { createDocumentClient } from '../../adapters/dynamodb/client.ts';
import { listHeads } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { listSealsOfPeriod } from '../../adapters/dynamodb/seals/seals-of-period.ts';
import { findRecords } from '../../adapters/dynamodb/stored/get-records.ts';
import { createHttp } from '../../adapters/http/request.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createObjectWriter } from '../../adapters/s3/put-object.ts';
import { parseLock } from '../../core/contract/archive-lock.ts';
import type { ArchivePorts } from '../../core/logs/archive/write-day.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { ArchiveEnvironment } from '../environment.ts';

/** Nobody waits for this function. */
const LIMITS = { maxAttempts: 5, connectionTimeout: 1_000, requestTimeout: 5_000 };

/** Made once per environment, when the bundle loads. Throws for a lock that cannot be read. */
export function compose({
  logsTable,
  usageTable,
  archiveBucket,
  archiveFolder,
  archiveLock,
}: ArchiveEnvironment): ArchivePorts & { readonly lines: LineSink } {
  const client = createDocumentClient(LIMITS);
  const chooseLock = parseLock(archiveLock);
  if (chooseLock === undefined) throw new Error('the lock of the archive cannot be read from its variable');
  const putObject = createObjectWriter({ bucket: archiveBucket, http: createHttp(), clock: systemClock });
  return {
    async *chains() {
      for await (const { chain } of listHeads(client, usageTable)) yield chain;
    },
    seals: (chain, fromMs, toMs) => listSealsOfPeriod(client, usageTable, { chain, fromMs, toMs }),
    find: (positions) => findRecords(client, logsTable, positions, systemClock),
    put: (name, body, organizations) =>
      putObject(`${archiveFolder}/${name}`, body, chooseLock(organizations, systemClock.now())),
    nowMs: systemClock.now,
    lines: standardOutput,
  };
}
