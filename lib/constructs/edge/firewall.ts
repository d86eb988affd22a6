// AWS WAF before the API: a web ACL that exists, or one with a limit per address and Amazon's list of bad ones.
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Stage } from '../../config/config.ts';

export interface FirewallProps {
  readonly stage: Stage;
  readonly restApi: RestApi;
}

/**
 * Rules look at addresses only, never at bodies: prompts look like attacks, and streamed answers are not inspected anyway.
 * A class, because CDK's tree is made of constructs.
 */
export class Firewall extends Construct {
  readonly webAclArn: string;

  constructor(scope: Construct, id: string, { stage, restApi }: FirewallProps) {
    super(scope, id);
    const { firewall } = stage;
    if (firewall === undefined) throw new Error('a firewall is made of the stage setting `firewall`');
    this.webAclArn = 'webAclArn' in firewall ? firewall.webAclArn : createWebAcl(this, firewall);
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

/** Requests are counted, none is sampled: samples hold headers, and so tokens. */
function visibility(metricName: string) {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
