// The whole service as one construct, for this app's stacks and for apps of others.
import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { type Grant, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { MetricKey } from '../../core/contract/metrics.ts';
import type { Stage } from '../config.ts';
import { NeuronApi } from './api.ts';
import { Authorizer } from './authorizer.ts';
import { addOutputs } from './deployment-outputs.ts';
import { type ExistingDomain, ServiceDomain } from './domain.ts';
import { Executor } from './executor.ts';
import { Firewall } from './firewall.ts';
import { functionEnvironment } from './function-environment.ts';
import { grantOperators } from './operators.ts';
import { serviceMetric } from './service-metric.ts';
import { Tables, type TablesByName } from './tables.ts';

export interface NeuronServiceProps {
  /** Judged settings: `defineStage({ name: 'prod', … })`, where production's stand for those left out. */
  readonly stage: Stage;
  /** Tables of a stack or construct of their own, or some that exist. @default all six are made here */
  readonly tables?: Partial<TablesByName> | undefined;
  /** Encrypts the tables; its policy must let IAM policies of the account decide. @default the stage setting `encryptionKeyArn`, then DynamoDB's own key */
  readonly encryptionKey?: IKey | undefined;
  /** @default the stage setting `domain`, then the API's own address */
  readonly domain?: ExistingDomain | undefined;
  /** Takes API Gateway's access log. @default a log group with the stage's retention */
  readonly logBucket?: IBucket | undefined;
  /** Code of the functions instead of their bundles, for tests of everything else. @default the bundles */
  readonly code?: Code | undefined;
}

/** A class, because CDK's tree is made of constructs. One a stack: the outputs have fixed names. */
export class NeuronService extends Construct {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly authorizer: Authorizer;
  readonly executor: Executor;
  readonly api: NeuronApi;
  readonly domain: ServiceDomain | undefined;
  readonly firewall: Firewall | undefined;
  /** Where callers find the API, with a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: NeuronServiceProps) {
    super(scope, id);
    const { stage, logBucket, code } = props;
    this.stage = stage;
    const encryptionKey = props.encryptionKey ?? this.#importKey();
    this.tables = new Tables(this, 'Tables', { stage, existing: props.tables, encryptionKey });
    const { tables } = this;
    const environment = functionEnvironment(stage, tables);
    this.authorizer = new Authorizer(this, 'Authorizer', { stage, tables, environment, code });
    this.executor = new Executor(this, 'Executor', { stage, tables, environment, code });
    if (encryptionKey !== undefined) this.#letUse(encryptionKey);
    const { authorizer, executor } = this;
    const closeOwnAddress = props.domain !== undefined || stage.domain !== undefined;
    this.api = new NeuronApi(this, 'Api', { stage, authorizer, executor, logBucket, closeOwnAddress });
    this.domain = closeOwnAddress ? this.#putDomain(props.domain) : undefined;
    this.firewall = stage.firewall === undefined ? undefined : this.#putFirewall();
    this.url = this.domain?.url ?? this.api.restApi.url;
    addOutputs(this, environment, {
      apiUrl: this.url,
      authorizerLogGroup: authorizer.service.logGroup.logGroupName,
      executeLogGroup: executor.service.logGroup.logGroupName,
    });
  }

  /** Lets a role run every `neuron` command against this service. */
  grantOperate(grantee: IGrantable): Grant {
    return grantOperators(this, grantee, this);
  }

  /** Lets a role read the audit trail and the usage, and nothing else. */
  grantAudit(grantee: IGrantable): Grant {
    return this.tables.grantAudit(grantee);
  }

  /** One of the service's own metrics, such as `costMicrodollars`; all are in `core/contract/metrics.ts`. */
  metric(key: MetricKey, options?: MetricOptions): Metric {
    return serviceMetric(this.stage, key, options);
  }

  #importKey(): IKey | undefined {
    const { encryptionKeyArn } = this.stage;
    return encryptionKeyArn === undefined
      ? undefined
      : Key.fromKeyArn(this, 'EncryptionKey', encryptionKeyArn);
  }

  #putDomain(existing: ExistingDomain | undefined): ServiceDomain {
    const domain = new ServiceDomain(this, 'Domain', {
      stage: this.stage,
      restApi: this.api.restApi,
      existing,
    });
    const output = new CfnOutput(this, 'DomainTarget', {
      description: 'What the name of the domain must point to',
      value: domain.domainName.domainNameAliasDomainName,
    });
    output.overrideLogicalId('DomainTarget');
    return domain;
  }

  #putFirewall(): Firewall {
    return new Firewall(this, 'Firewall', { stage: this.stage, restApi: this.api.restApi });
  }

  /** DynamoDB uses a customer's key in the name of who reads and writes (encryption.usagenotes.html): through DynamoDB only. */
  #letUse(key: IKey): void {
    for (const { service } of [this.authorizer, this.executor]) {
      service.role.addToPolicy(
        new PolicyStatement({
          sid: 'UseKeyOfTables',
          actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
          resources: [key.keyArn],
          conditions: {
            StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(this).region}.amazonaws.com` },
          },
        }),
      );
    }
  }
}
