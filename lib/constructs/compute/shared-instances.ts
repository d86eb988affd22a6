// Lambda Managed Instances: EC2 instances that Lambda runs in the operator's VPC, with many runs in each environment.
import { type ISubnet, SecurityGroup, Subnet } from 'aws-cdk-lib/aws-ec2';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, CapacityProvider } from 'aws-cdk-lib/aws-lambda';
import { acknowledge } from '../../checks/acknowledge.ts';
import { MIN_ENVIRONMENTS, sharedCapacity } from '../../config/compute.ts';
import type { Stage } from '../../config/config.ts';
import type { ServiceFunction } from './service-function.ts';

const OPERATOR_POLICY = 'AWSLambdaManagedEC2ResourceOperator';

/** Puts a new function on managed instances where the stage says so. */
export function runOnSharedInstances(service: ServiceFunction, stage: Stage) {
  const capacity = sharedCapacity(stage);
  if (stage.compute === undefined || capacity === undefined) return;
  const { subnetIds, securityGroupIds } = stage.compute.shared;
  const operatorRole = new Role(service, 'InstancesRole', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(OPERATOR_POLICY)],
  });
  acknowledge(
    operatorRole,
    `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${OPERATOR_POLICY}]`,
    'Lambda asks for this policy of its own to start and end instances in the VPC.',
  );
  const provider = new CapacityProvider(service, 'Instances', {
    subnets: subnetIds.map((id) => importSubnet(service, id)),
    securityGroups: securityGroupIds.map((id) => SecurityGroup.fromSecurityGroupId(service, id, id)),
    architectures: [Architecture.ARM_64],
    operatorRole,
    maxVCpuCount: capacity.maxVcpus,
  });
  provider.addFunction(service.handler, {
    publishToLatestPublished: true,
    perExecutionEnvironmentMaxConcurrency: capacity.runsAtOnce,
    latestPublishedScalingConfig: {
      minExecutionEnvironments: MIN_ENVIRONMENTS,
      maxExecutionEnvironments: capacity.maxEnvironments,
    },
  });
}

function importSubnet(service: ServiceFunction, id: string): ISubnet {
  const subnet = Subnet.fromSubnetId(service, id, id);
  acknowledge(
    subnet,
    'Annotation::@aws-cdk/aws-ec2:noSubnetRouteTableId',
    'No route of it is read or changed.',
  );
  return subnet;
}
