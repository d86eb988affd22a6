// Models on Bedrock: the stage setting `bedrock` as permissions of the execution function's role.
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import type { ServiceFunction } from './service-function.ts';

/** Ids of inference profiles begin with a geography: two letters, or one of these three. No vendor's name has two letters. */
const PROFILE = /^(?:[a-z]{2}|us-gov|apac|global)\.(?<foundationModel>.+)$/;

/**
 * Converse needs the same action as InvokeModel, ConverseStream that of the other operation with a stream
 * (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html and API_runtime_ConverseStream.html).
 */
const ACTIONS = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'];

/**
 * Grants a function exactly the models and inference profiles of the stage settings. A profile routes a call to its model in any
 * region of its geography, so that model is allowed in every region, through this profile only
 * (docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-prereq.html).
 */
export function grantBedrock({ role }: ServiceFunction, { bedrock }: Stage): void {
  const named = bedrock.flatMap(({ region, models }) => models.map((model) => ({ region, model })));
  if (named.length === 0) return;
  const stack = Stack.of(role);
  const arnOf = (region: string, account: string, resource: string, resourceName: string): string =>
    stack.formatArn({
      service: 'bedrock',
      region,
      account,
      resource,
      resourceName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
  const resources = named.map(({ region, model }) =>
    PROFILE.test(model)
      ? arnOf(region, stack.account, 'inference-profile', model)
      : arnOf(region, '', 'foundation-model', model),
  );
  role.addToPolicy(new PolicyStatement({ sid: 'CallModels', actions: ACTIONS, resources }));
  for (const [index, { region, model }] of named.entries()) {
    const foundationModel = PROFILE.exec(model)?.groups?.['foundationModel'];
    if (foundationModel === undefined) continue;
    const resource = arnOf('*', '', 'foundation-model', foundationModel);
    const profile = arnOf(region, stack.account, 'inference-profile', model);
    role.addToPolicy(
      new PolicyStatement({
        sid: `CallThroughProfile${index}`,
        actions: ACTIONS,
        resources: [resource],
        conditions: { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
      }),
    );
    acknowledgeWildcard(
      role,
      resource,
      'An inference profile chooses the region among those of its geography; model and profile are named.',
    );
  }
}
