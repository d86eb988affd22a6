// The execution function on Lambda Managed Instances.
import { describe, expect, it } from 'vitest';
import type { StageSettings } from '../../../../lib/config/config.ts';
import { parseStage } from '../../../../lib/config/config.ts';
import { totalReserved } from '../../../../lib/config/reserved.ts';
import { dev } from '../../../../lib/stages/dev.ts';
import { prod } from '../../../../lib/stages/prod.ts';
import { onlyResource, resourcesOf, synthesize } from '../../synthesized.ts';

const shared = { subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] };
const settings: Partial<StageSettings> = { compute: { shared }, memoryMegabytes: 2048 };

function functionOf(stage: string, overrides: Partial<StageSettings> = settings) {
  const { api } = synthesize(stage, overrides);
  const [found] = resourcesOf(api, 'AWS::Lambda::Function').filter(
    ([, { Properties }]) => Properties['Description'] === 'Runs the flow of a neuron',
  );
  return { api, id: found![0], properties: found![1].Properties };
}

const messageOf = (changes: object) => {
  try {
    parseStage({ ...dev, ...settings, ...changes });
    return 'no error';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('compute: shared', () => {
  it('runs 64 calls in each environment, of which there are as many as the peak needs and three at least', () => {
    const { api, properties } = functionOf('prod');
    expect(properties['ReservedConcurrentExecutions']).toBeUndefined();
    expect(properties['FunctionScalingConfig']).toEqual({
      MinExecutionEnvironments: 3,
      // 600 runs at once, as many as production reserves otherwise.
      MaxExecutionEnvironments: 10,
    });
    const config = properties['CapacityProviderConfig'] as Readonly<Record<string, object>>;
    expect(config['LambdaManagedInstancesCapacityProviderConfig']).toMatchObject({
      PerExecutionEnvironmentMaxConcurrency: 64,
    });
    const provider = onlyResource(api, 'AWS::Lambda::CapacityProvider').Properties;
    expect(provider['VpcConfig']).toEqual({
      SubnetIds: shared.subnetIds,
      SecurityGroupIds: shared.securityGroupIds,
    });
    expect(provider['CapacityProviderScalingConfig']).toEqual({ MaxVCpuCount: 12 });
  });

  it('leaves the authorizer and the others as they are, and the function where it is not set', () => {
    const { api } = functionOf('prod');
    const others = resourcesOf(api, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties['CapacityProviderConfig'] === undefined,
    );
    const all = resourcesOf(functionOf('prod', {}).api, 'AWS::Lambda::Function');
    expect(others.length).toBe(all.length - 1);
    expect(all.filter(([, { Properties }]) => 'CapacityProviderConfig' in Properties)).toEqual([]);
  });

  it('is another function than that without it, since CloudFormation cannot move one', () => {
    expect(functionOf('dev').id).not.toBe(functionOf('dev', {}).id);
  });

  it('takes fewer runs at once, and then more environments', () => {
    const fewer = { ...settings, compute: { shared: { ...shared, runsAtOnce: 16 } }, memoryMegabytes: 4096 };
    const { api, properties } = functionOf('prod', fewer);
    expect(properties['FunctionScalingConfig']).toMatchObject({ MaxExecutionEnvironments: 38 });
    const provider = onlyResource(api, 'AWS::Lambda::CapacityProvider').Properties;
    expect(provider['CapacityProviderScalingConfig']).toEqual({ MaxVCpuCount: 76 });
  });

  it('takes nothing of the concurrency of the account', () => {
    const of = (changes: object) => totalReserved(parseStage({ ...prod, ...changes }));
    expect(of({}) - of(settings)).toBe(600);
  });

  it('is refused with too little memory, and with what Lambda does not have there', () => {
    expect(messageOf({ memoryMegabytes: 1024 })).toContain('memoryMegabytes: must be at least 2048');
    expect(messageOf({ canary: '10PERCENT_5MINUTES' })).toContain(
      'canary: cannot be set where compute is shared',
    );
    expect(messageOf({ provisionedConcurrency: { authorizer: 1, execution: 1 } })).toContain(
      'provisionedConcurrency: cannot be set where compute is shared',
    );
    expect(messageOf({})).toBe('no error');
  });

  it.each([
    [{}, 'compute.shared'],
    [{ shared: {} }, 'compute.shared.subnetIds'],
    [{ shared: { ...shared, subnetIds: [] } }, 'must name a subnet at least'],
    [
      { shared: { ...shared, subnetIds: ['vpc-1'] } },
      'compute.shared.subnetIds[0]: must be the id of a subnet',
    ],
    [{ shared: { ...shared, securityGroupIds: Array(6).fill('sg-0a1b2c3d') } }, 'at most 5 security groups'],
    [{ shared: { ...shared, runsAtOnce: 65 } }, 'compute.shared.runsAtOnce'],
    [{ shared: { ...shared, vpcId: 'vpc-1' } }, 'vpcId'],
    ['shared', 'compute'],
  ])('says what is wrong with %j', (compute, message) => {
    expect(messageOf({ compute })).toContain(message);
  });
});
