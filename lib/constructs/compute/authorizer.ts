// The authorizer: a function of its own, invoked for every request, because a cached decision would outlive the settings behind it.
import { Duration } from 'aws-cdk-lib';
import { CfnAuthorizer, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { AUTHORIZER_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { reservedFor } from '../../config/reserved.ts';
import { appendToLog } from '../data/append-log.ts';
import { grantReadSecrets } from '../data/secrets-access.ts';
import type { FunctionContext } from './function-environment.ts';
import { ServiceFunction } from './service-function.ts';
import { AUTHORIZER_TIMEOUT } from './timeouts.ts';

export type AuthorizerProps = FunctionContext;

export class Authorizer extends Construct {
  readonly service: ServiceFunction;
  readonly requestAuthorizer: RequestAuthorizer;

  constructor(scope: Construct, id: string, { stage, tables, environment, code }: AuthorizerProps) {
    super(scope, id);
    const { config, keys } = tables.byName;
    this.service = new ServiceFunction(this, 'Service', {
      stage,
      entry: 'lambdas/authorizer/handler.ts',
      description: 'Decides who may call a neuron',
      timeout: AUTHORIZER_TIMEOUT,
      environment: toVariables(AUTHORIZER_FIELDS, environment),
      reservedConcurrency: reservedFor(stage).authorizer,
      provisionedConcurrency: stage.provisionedConcurrency?.authorizer,
      canary: stage.canary,
      isOnRequests: true,
      permissions: [
        new PolicyStatement({
          sid: 'ReadSettings',
          actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
          resources: [config.tableArn],
        }),
        new PolicyStatement({
          sid: 'ReadKeys',
          actions: ['dynamodb:GetItem'],
          resources: [keys.tableArn],
        }),
        appendToLog('AppendRefusals', tables),
      ],
      code,
    });
    grantReadSecrets(this.service, stage, ['jwt']);
    this.requestAuthorizer = new RequestAuthorizer(this, 'RequestAuthorizer', {
      handler: this.service.target,
      resultsCacheTtl: Duration.seconds(0),
      identitySources: [],
    });
    removeIdentitySource(this.requestAuthorizer);
  }
}

/** CDK renders an empty list as `""`. The property serves caching only, and public neurons are called without credentials. */
function removeIdentitySource(authorizer: RequestAuthorizer): void {
  const resource = authorizer.node.defaultChild ?? authorizer.node.tryFindChild('Resource');
  if (!(resource instanceof CfnAuthorizer))
    throw new Error('RequestAuthorizer no longer makes an authorizer');
  resource.addPropertyDeletionOverride('IdentitySource');
}
