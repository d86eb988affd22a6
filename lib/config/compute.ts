// Lambda Managed Instances for the execution function: many runs wait in one process, on instances in the operator's own VPC.
// https://docs.aws.amazon.com/lambda/latest/dg/lambda-managed-instances.html
import * as z from 'zod/mini';
import { members } from '../../core/settings/members.ts';
import { integer } from '../../core/settings/scalars.ts';
import type { Stage } from './config.ts';
import { matching } from './optional-settings.ts';

/** The least memory of a function on managed instances, which has 2 GiB for each vCPU unless more is asked for. */
export const MIN_MEGABYTES = 2048;

/** Kept by Lambda, spread over availability zones, whether anybody calls or not. */
export const MIN_ENVIRONMENTS = 3;

/** CloudFormation, AWS::Lambda::CapacityProvider: 12 to 15,000. */
const MIN_VCPUS = 12;

const subnetId = matching(
  /^subnet-[0-9a-f]{8,17}$/,
  'must be the id of a subnet, such as subnet-0a1b2c3d4e5f67890',
);
const securityGroupId = matching(
  /^sg-[0-9a-f]{8,17}$/,
  'must be the id of a security group, such as sg-0a1b2c3d4e5f67890',
);

/** Where the execution function runs. */
export const compute = members(
  {
    shared: members(
      {
        /** With a way to the internet (a NAT gateway) and to AWS: from there providers are called. */
        subnetIds: z
          .array(subnetId, { error: 'must be a list of subnets' })
          .check(
            z.minLength(1, { error: 'must name a subnet at least' }),
            z.maxLength(16, { error: 'must be at most 16 subnets' }),
          ),
        securityGroupIds: z
          .array(securityGroupId, { error: 'must be a list of security groups' })
          .check(
            z.minLength(1, { error: 'must name a security group at least' }),
            z.maxLength(5, { error: 'must be at most 5 security groups' }),
          ),
        /** Runs in one environment at a time; one with more CPU to do than waiting wants fewer. */
        runsAtOnce: z._default(integer(1, 64), 64),
      },
      'must be { subnetIds, securityGroupIds, runsAtOnce? }',
    ),
  },
  'must be { shared: { subnetIds, securityGroupIds } }',
);

/** Largest size of the execution function, so that no rush of calls costs without end. */
export interface SharedCapacity {
  readonly runsAtOnce: number;
  readonly maxEnvironments: number;
  readonly maxVcpus: number;
}

/** As many environments as hold the runs that the stage would reserve for functions of one run each; without them as few as Lambda keeps. */
export function sharedCapacity(stage: Stage): SharedCapacity | undefined {
  const runsAtOnce = stage.compute?.shared.runsAtOnce;
  if (runsAtOnce === undefined) return undefined;
  const runs = stage.reservedConcurrency?.execution ?? 0;
  const maxEnvironments = Math.max(MIN_ENVIRONMENTS, Math.ceil(runs / runsAtOnce));
  const vcpus = maxEnvironments * Math.ceil(stage.memoryMegabytes / MIN_MEGABYTES);
  return { runsAtOnce, maxEnvironments, maxVcpus: Math.max(MIN_VCPUS, vcpus) };
}
