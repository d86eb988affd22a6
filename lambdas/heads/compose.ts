// Puts the heads function's ports together.
import { createDocumentClient } from '../../adapters/dynamodb/client.ts';
import { listHeads } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { createHttp } from '../../adapters/http/request.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createObjectWriter } from '../../adapters/s3/put-object.ts';
import { type HeadsEnvironment, NO_BUCKET } from '../environment.ts';
import type { HeadsPorts } from './write-heads.ts';

/** Nobody waits for this function. */
const LIMITS = { maxAttempts: 3, connectionTimeout: 1_000, requestTimeout: 3_000 };

/** Made once per environment, when the bundle loads. */
export function compose({ usageTable, headsBucket, headsFolder }: HeadsEnvironment): HeadsPorts {
  const client = createDocumentClient(LIMITS);
  return {
    folder: headsFolder,
    heads: () => listHeads(client, usageTable),
    clock: systemClock,
    lines: standardOutput,
    putObject:
      headsBucket === NO_BUCKET
        ? undefined
        : createObjectWriter({ bucket: headsBucket, http: createHttp(), clock: systemClock }),
  };
}
