// Makes resolved resources and stacks.
import type { ResolvedResource, ResolvedStack } from '../../template/types.ts';

/** A resource whose physical id is its logical id. */
export function resource(
  type: string,
  logicalId: string,
  properties: object = {},
  more: Partial<ResolvedResource> = {},
): ResolvedResource {
  return {
    stack: 'Stack',
    logicalId,
    type,
    physicalId: logicalId,
    arn: undefined,
    properties: properties as ResolvedResource['properties'],
    metadata: {},
    ...more,
  };
}

/** A stack without outputs. */
export function stackOf(resources: readonly ResolvedResource[], folder = ''): readonly ResolvedStack[] {
  return [{ name: 'Stack', folder, resources, outputs: {} }];
}
