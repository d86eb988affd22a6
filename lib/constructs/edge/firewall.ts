// AWS WAF in front of the API: an existing web ACL, or one with a rate per address and Amazon's IP reputation list.
import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Stage } from '../../config/config.ts';
import { logGroupProps } from '../data/log-group.ts';

export interface FirewallProps {
  readonly stage: Stage;
  readonly restApi: RestApi;
}

/** Rules inspect addresses, never bodies: prompts look like attacks. */
export class Firewall extends Construct {
  readonly webAclArn: string;

  constructor(scope: Construct, id: string, { stage, restApi }: FirewallProps) {
    super(scope, id);
    const { firewall } = stage;
    if (firewall === undefined) throw new Error('a firewall needs the stage setting `firewall`');
    this.webAclArn = 'webAclArn' in firewall ? firewall.webAclArn : createWebAcl(this, firewall);
    if ('logs' in firewall && firewall.logs === true) logBlocked(this, stage, this.webAclArn);
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: restApi.deploymentStage.stageArn,
      webAclArn: this.webAclArn,
    });
  }
}

function createWebAcl(scope: Construct, { requestsPerAddress }: { readonly requestsPerAddress: number }) {
  const webAcl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('Firewall'),
    rules: [
      {
        name: 'AddressesOfIllRepute',
        priority: 0,
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesAmazonIpReputationList' },
        },
        visibilityConfig: visibility('AddressesOfIllRepute'),
      },
      {
        name: 'RequestsPerAddress',
        priority: 1,
        action: { block: {} },
        statement: {
          rateBasedStatement: { aggregateKeyType: 'IP', limit: requestsPerAddress, evaluationWindowSec: 300 },
        },
        visibilityConfig: visibility('RequestsPerAddress'),
      },
    ],
  });
  return webAcl.attrArn;
}

/** Lines of blocked requests alone; a log group of WAF has a fixed beginning (waf/latest/developerguide/logging-cw-logs.html). */
function logBlocked(scope: Construct, stage: Stage, webAclArn: string): void {
  const stack = Stack.of(scope);
  const logGroup = new LogGroup(scope, 'Logs', {
    logGroupName: `aws-waf-logs-${stack.stackName}`,
    ...logGroupProps(stage),
  });
  const arn = stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: logGroup.logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  new CfnLoggingConfiguration(scope, 'Logging', {
    resourceArn: webAclArn,
    logDestinationConfigs: [arn],
    // Keys and tokens; `key` is the query parameter of previews.
    redactedFields: [
      ...['authorization', 'cookie', 'x-api-key', 'x-preview-key'].map((name) => ({
        singleHeader: { Name: name },
      })),
      { queryString: {} },
    ],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [
        {
          Behavior: 'KEEP',
          Requirement: 'MEETS_ANY',
          Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
        },
      ],
    },
  });
}

/** No sampled requests: samples contain headers, and so tokens. */
function visibility(metricName: string) {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
