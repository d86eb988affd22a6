// Describes the neurons that are tools, with the parameters of the versions that answer calls.
import type { ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { mapAtOnce } from '../../../core/async/at-once.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { ListedNeuron } from '../../../core/settings/names/neuron-list.ts';
import { parseVariables } from '../../../core/settings/variables/variables-schema.ts';
import { inputSchemaOf } from '../../../core/surfaces/mcp/input-schema.ts';
import type { JsonObject } from '../../../core/text/json.ts';
import type { ExecutionPorts } from '../run.ts';

/** Versions stay in memory once they are read. */
const READS_AT_ONCE = 16;

/** In the order of the neurons, without those that are no tools. 503 `dependency_unavailable`. */
export async function describeTools(
  neurons: readonly ListedNeuron[],
  { organization }: Pick<ExecutionRequest, 'organization'>,
  { versions }: Pick<ExecutionPorts, 'versions'>,
): Promise<readonly JsonObject[]> {
  const describe = async ({ slug, mcp, neuronId, version }: ListedNeuron): Promise<readonly JsonObject[]> => {
    if (mcp === undefined) return [];
    const { title, description } = mcp;
    const stored = await versions.read(organization, neuronId, version).catch((cause: unknown) => {
      throw new ServiceError('dependency_unavailable', { reason: 'the version could not be read', cause });
    });
    const inputSchema = inputSchemaOf(parseVariables(stored?.variables) ?? {});
    return [{ name: slug, ...(title === undefined ? {} : { title }), description, inputSchema }];
  };
  return (await mapAtOnce(neurons, READS_AT_ONCE, describe)).flat();
}
