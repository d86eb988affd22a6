// Stands in for Secrets Manager, in the protocol that the AWS SDK speaks.

import { createHash } from 'node:crypto';
import { AwsError, jsonReply, parseInput, type RunningServer, startService } from '../loopback/serve.ts';
import { pseudoParameters } from '../template/scope.ts';
import { OPERATIONS } from './operations.ts';
import { openSecretStore } from './store.ts';

interface SecretsSettings {
  /** Keeps the secrets, one file each. */
  readonly folder: string;
  readonly region: string;
  readonly accountId: string;
  /** Seconds since 1970. @default the time of the machine */
  readonly now?: () => number;
  readonly log: (line: string) => void;
}

const TARGET_PREFIX = 'secretsmanager.';
/** A value of 64 KB, escaped. */
const MAX_BODY_BYTES = 512 * 1024;

/**
 * Starts the server. Programs of this machine that know its path can read the secrets; web pages cannot.
 * @throws LocalFailure `DATA_FOLDER_UNREADABLE`
 */
export async function startSecretsServer(settings: SecretsSettings): Promise<RunningServer> {
  const { folder, region, accountId, now = () => Math.floor(Date.now() / 1000), log } = settings;
  const { partition } = pseudoParameters(region, accountId);
  // Secrets Manager adds a hyphen and six characters. Here they are derived from the name, so that a restart changes none.
  const arnOf = (name: string) => {
    const suffix = createHash('sha256').update(name).digest('hex').slice(0, 6);
    return `arn:${partition}:secretsmanager:${region}:${accountId}:secret:${name}-${suffix}`;
  };
  const context = { store: openSecretStore(folder, now), now, arnOf };
  const answer = (target = '', body: string) => {
    const name = target.startsWith(TARGET_PREFIX) ? target.slice(TARGET_PREFIX.length) : '';
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
    if (operation === undefined)
      throw new AwsError('UnknownOperationException', `${target} is not supported.`);
    return jsonReply(operation(context, parseInput(body)));
  };
  return startService({ name: 'secrets', maxBodyBytes: MAX_BODY_BYTES, answer }, log);
}
