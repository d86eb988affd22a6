// Grants a function what the stage settings name on Amazon Bedrock, and nothing else.
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

type Role = ServiceFunction['role'];

export function grantBedrock({ role }: ServiceFunction, { bedrock }: Stage): void {
  grantModels(role, bedrock);
  grantGuardrails(role, bedrock);
  grantChecks(role, bedrock);
}

/**
 * Exactly the models and inference profiles. A profile routes a call to its model in any region of its geography, so that model is allowed
 * in every region, through this profile only (docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-prereq.html).
 */
function grantModels(role: Role, bedrock: Stage['bedrock']): void {
  const named = bedrock.flatMap(({ region, models = [] }) => models.map((model) => ({ region, model })));
  if (named.length === 0) return;
  const own = Stack.of(role).account;
  const resources = named.map(({ region, model }) =>
    PROFILE.test(model)
      ? arnOf(role, { region, account: own, resource: 'inference-profile', resourceName: model })
      : arnOf(role, { region, account: '', resource: 'foundation-model', resourceName: model }),
  );
  role.addToPolicy(new PolicyStatement({ sid: 'CallModels', actions: ACTIONS, resources }));
  for (const [index, { region, model }] of named.entries()) {
    const foundationModel = PROFILE.exec(model)?.groups?.['foundationModel'];
    if (foundationModel === undefined) continue;
    const resource = arnOf(role, {
      region: '*',
      account: '',
      resource: 'foundation-model',
      resourceName: foundationModel,
    });
    const profile = arnOf(role, { region, account: own, resource: 'inference-profile', resourceName: model });
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

/**
 * ApplyGuardrail, and Converse with a guardrail. A guardrail with a profile needs the profile in each region of its geography
 * (docs.aws.amazon.com/bedrock/latest/userguide/guardrail-profiles-permissions.html).
 */
function grantGuardrails(role: Role, bedrock: Stage['bedrock']): void {
  const account = Stack.of(role).account;
  const guardrails = bedrock.flatMap(({ region, guardrails: ids = [] }) =>
    ids.map((id) => arnOf(role, { region, account, resource: 'guardrail', resourceName: id })),
  );
  if (guardrails.length === 0) return;
  const named = new Set(bedrock.flatMap(({ guardrailProfiles = [] }) => guardrailProfiles));
  const profiles = [...named].map((id) =>
    arnOf(role, { region: '*', account, resource: 'guardrail-profile', resourceName: id }),
  );
  role.addToPolicy(
    new PolicyStatement({
      sid: 'ApplyGuardrails',
      actions: ['bedrock:ApplyGuardrail'],
      resources: [...guardrails, ...profiles],
    }),
  );
  for (const profile of profiles)
    acknowledgeWildcard(
      role,
      profile,
      'A guardrail profile chooses the region among those of its geography; the profile is named.',
    );
}

/** The checks have no resource of their own: the regions are what can be named. */
function grantChecks(role: Role, bedrock: Stage['bedrock']): void {
  const regions = bedrock.flatMap(({ region, guardrailChecks }) => (guardrailChecks ? [region] : []));
  if (regions.length === 0) return;
  role.addToPolicy(
    new PolicyStatement({
      sid: 'CheckTexts',
      actions: ['bedrock:InvokeGuardrailChecks'],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:RequestedRegion': regions } },
    }),
  );
  acknowledgeWildcard(role, '*', 'InvokeGuardrailChecks has no resource; the regions are named.');
}

function arnOf(
  role: Role,
  parts: {
    readonly region: string;
    readonly account: string;
    readonly resource: string;
    readonly resourceName: string;
  },
): string {
  return Stack.of(role).formatArn({
    service: 'bedrock',
    ...parts,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });
}
