// In front of the API: a domain and a firewall, where the stage settings ask for them.
import { CfnOutput } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { Stage } from '../../config/config.ts';
import { type ExistingDomain, ServiceDomain } from './domain.ts';
import { Firewall } from './firewall.ts';

export interface EdgeProps {
  readonly stage: Stage;
  readonly restApi: RestApi;
  /** @default the stage setting `domain` */
  readonly domain?: ExistingDomain | undefined;
}

export class Edge extends Construct {
  /** Absent where callers use the API's own address. */
  readonly domain: ServiceDomain | undefined;
  readonly firewall: Firewall | undefined;
  /** Where callers find the API, with a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, { stage, restApi, domain }: EdgeProps) {
    super(scope, id);
    if (hasDomain({ stage, domain })) {
      this.domain = new ServiceDomain(this, 'Domain', { stage, restApi, existing: domain });
      new CfnOutput(this, 'DomainTarget', {
        description: 'What the name of the domain must point to',
        value: this.domain.domainName.domainNameAliasDomainName,
      }).overrideLogicalId('DomainTarget');
    }
    if (stage.firewall !== undefined) this.firewall = new Firewall(this, 'Firewall', { stage, restApi });
    this.url = this.domain?.url ?? restApi.url;
  }
}

/** Whether callers use a domain, so that the API's own address is disabled. */
export function hasDomain({ stage, domain }: Pick<EdgeProps, 'stage' | 'domain'>): boolean {
  return domain !== undefined || stage.domain !== undefined;
}
