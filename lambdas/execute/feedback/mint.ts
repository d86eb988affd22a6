// Mints the token of an answer.
import { mintToken } from '../../../core/feedback/token.ts';
import { LOG_KEY_NAME } from '../../../core/ports/log-key.ts';
import type { ExecutionPorts, ReadyCall } from '../run.ts';

export type MintPorts = Pick<ExecutionPorts, 'secrets'>;

/** Throws where the key cannot be read. */
export async function mint(
  { request, settings, version, admission }: ReadyCall,
  { secrets }: MintPorts,
): Promise<string> {
  const { organizationId, neuronId } = settings;
  const key = await secrets.read(organizationId, 'providers', LOG_KEY_NAME);
  if (key === undefined) throw new Error(`the organization has no ${LOG_KEY_NAME}`);
  const { executionId, timeMs } = request;
  const { username } = admission;
  return mintToken(
    {
      executionId,
      timeMs,
      neuronId,
      version: version.id,
      ...(version.rollout && { rollout: version.rollout }),
      username,
    },
    key,
  );
}
