// Shifts calls to a new version of a function step by step, and back when the service fails more often (CodeDeploy).
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledge } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';

/** By the stage setting `canary`: how CodeDeploy shifts calls. */
const CONFIGS: Readonly<Record<NonNullable<Stage['canary']>, ILambdaDeploymentConfig>> = {
  '10PERCENT_5MINUTES': LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  '10PERCENT_15MINUTES': LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  '10PERCENT_30MINUTES': LambdaDeploymentConfig.CANARY_10PERCENT_30MINUTES,
};

/** The name of the API, as its metrics have it. */
export function apiName({ name }: Stage): string {
  return `neuron-${name}`;
}

/** Percent of all answers within a minute. A tenth of the calls goes to the new version, so one that always fails shows 10. */
const ROLLBACK_PERCENT = 5;

export interface CanaryProps {
  readonly stage: Stage;
  readonly alias: Alias;
  readonly canary: NonNullable<Stage['canary']>;
}

export class Canary extends Construct {
  constructor(scope: Construct, id: string, { stage, alias, canary }: CanaryProps) {
    super(scope, id);
    const alarm = new Alarm(this, 'ServerErrors', {
      alarmDescription: `Rolls a deployment back: ${ROLLBACK_PERCENT} % of the answers within a minute are 5xx. What to do: docs/operations.md#server-errors`,
      // By names, not by references: the API refers to the alias, which refers to this alarm.
      metric: new Metric({
        namespace: 'AWS/ApiGateway',
        metricName: '5XXError',
        dimensionsMap: { ApiName: apiName(stage), Stage: stage.name },
        // The metric has a zero or a one for each call.
        statistic: Stats.AVERAGE,
        period: Duration.minutes(1),
      }),
      threshold: ROLLBACK_PERCENT / 100,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const group = new LambdaDeploymentGroup(this, 'Deployment', {
      alias,
      deploymentConfig: CONFIGS[canary],
      alarms: [alarm],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    acknowledge(
      group,
      'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      "AWS's policy for CodeDeploy with Lambda; its rights are on aliases and alarms.",
    );
  }
}
