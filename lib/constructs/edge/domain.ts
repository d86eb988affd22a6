// A custom domain for the API: one that the stage settings describe, or an existing one that other APIs may share.
import {
  BasePathMapping,
  DomainName,
  EndpointAccessMode,
  EndpointType,
  type IDomainName,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { Stage } from '../../config/config.ts';

/** An existing Regional domain of API Gateway, with a certificate and TLS 1.2 or later. */
export interface ExistingDomain {
  readonly domainName: IDomainName;
  /** Letters, digits and `$-_.+!*'()/`. @default the API is at the root of the domain */
  readonly basePath?: string;
}

export interface ServiceDomainProps {
  readonly stage: Stage;
  readonly restApi: RestApi;
  /** @default one is created from the stage setting `domain` */
  readonly existing?: ExistingDomain | undefined;
}

export class ServiceDomain extends Construct {
  readonly domainName: IDomainName;
  /** Where callers find the API, with a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, { stage, restApi, existing }: ServiceDomainProps) {
    super(scope, id);
    this.domainName = existing?.domainName ?? createDomain(this, stage);
    const basePath = existing?.basePath;
    new BasePathMapping(this, 'Mapping', {
      domainName: this.domainName,
      restApi,
      stage: restApi.deploymentStage,
      ...(basePath === undefined ? {} : { basePath }),
    });
    const name = existing === undefined ? (stage.domain?.name ?? '') : this.domainName.domainName;
    this.url = `https://${name}/${basePath === undefined ? '' : `${basePath}/`}`;
  }
}

/** With the TLS policy of the API itself, so that neither address is weaker than the other. */
function createDomain(scope: Construct, { domain }: Stage): DomainName {
  if (domain === undefined) throw new Error('a domain needs the stage setting `domain`');
  const domainName = new DomainName(scope, 'Name', {
    domainName: domain.name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
    endpointAccessMode: EndpointAccessMode.STRICT,
  });
  if (domain.hostedZone !== undefined) {
    const { id, name } = domain.hostedZone;
    // IPv4 only, like the API: address lists hold IPv4.
    new ARecord(scope, 'Alias', {
      zone: HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId: id, zoneName: name }),
      recordName: domain.name,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(domainName)),
    });
  }
  return domainName;
}
