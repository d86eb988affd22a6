// Opens an archive: a folder, as `aws s3 sync` copies it, or its bucket.
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { systemClock } from '../../../adapters/platform/clock.ts';
import type { ArchiveSource } from '../../../core/admin/verify-archive/verify-archive.ts';
import { CommandFailure } from '../../output/failure.ts';
import type { Session } from '../../session/session.ts';

export function openFolder(folder: string): ArchiveSource {
  return {
    async *names() {
      const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause: Error) => {
        throw new CommandFailure({ what: `${folder} cannot be read.`, why: cause.message }, { cause });
      });
      for (const file of files)
        if (!file.isDirectory())
          yield join(file.parentPath, file.name)
            .slice(folder.length + 1)
            .replaceAll(sep, '/');
    },
    read: (name) => readIfThere(join(folder, name)),
  };
}

/** Names in a manifest lead nowhere but into the folder. */
async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandFailure({ what: `${path} cannot be read.` }, { cause: error });
  }
}

/** `s3://BUCKET/neuron-archive/ACCOUNT/REGION/STAGE` */
export async function openBucket(
  place: string,
  { region, profile }: Session['options'],
): Promise<ArchiveSource> {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(place) ?? [];
  if (bucket === undefined)
    throw new CommandFailure({
      what: `${place} is no place in S3.`,
      remedy: 'Pass s3://BUCKET/neuron-archive/ACCOUNT/REGION/STAGE.',
    });
  const inRegion = region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
  if (inRegion === undefined)
    throw new CommandFailure({ what: 'The region of the bucket is not known.', remedy: 'Pass --region.' });
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'];
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
  const { createObjectReader } = await import('../../../adapters/s3/read-objects.ts');
  const { openWholeHttp } = await import('../../session/open-http.ts');
  const { http } = await openWholeHttp({ local: endpoint });
  const reader = createObjectReader({
    bucket,
    region: inRegion,
    credentials: fromNodeProviderChain(profile === undefined ? {} : { profile }),
    http,
    now: systemClock.now,
    endpoint,
  });
  const folder = path.replace(/\/*$/, '/').replace(/^\/$/, '');
  return {
    async *names() {
      for await (const key of reader.list(folder)) yield key.slice(folder.length);
    },
    read: (name) => reader.get(`${folder}${name}`),
  };
}
