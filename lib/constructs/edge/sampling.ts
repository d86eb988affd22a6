// The share of the requests that X-Ray traces: API Gateway decides, and the functions behind it follow.
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import type { Stage } from '../../config/config.ts';
import { apiName } from '../compute/canary.ts';

/** Before the default rule of X-Ray, which is the last, and after rules that an operator makes for single paths with fewer. */
const PRIORITY = 1_000;

/** None where the stage leaves it to the rules of the account. */
export function addSamplingRule(scope: Construct, stage: Stage): void {
  if (stage.xray === undefined) return;
  const { percent, perSecond } = stage.xray;
  new CfnSamplingRule(scope, 'Sampling', {
    samplingRule: {
      // The name of the service as traces have it (apigateway-configuring-xray-sampling-rules.html).
      serviceName: `${apiName(stage)}/${stage.name}`,
      serviceType: 'AWS::ApiGateway::Stage',
      resourceArn: '*',
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      ruleName: `neuron-${stage.name}`,
      fixedRate: percent / 100,
      reservoirSize: perSecond,
      priority: PRIORITY,
      version: 1,
    },
  });
}
