// AWS WAF in front of the API: an existing web ACL, or one with a rate per address and Amazon's IP reputation list.
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Stage } from '../../config/config.ts';

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

/** No sampled requests: samples contain headers, and so tokens. */
function visibility(metricName: string) {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
