// The whole service as one construct, for this app's stacks and for apps of others.
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Stage } from '../config/config.ts';
import { Authorizer } from './compute/authorizer.ts';
import { Executor } from './compute/executor.ts';
import { functionEnvironment } from './compute/function-environment.ts';
import { Rollup } from './compute/rollup.ts';
import { grantKeyUse, importTableKey, letFunctionsUse } from './data/table-key.ts';
import { Tables, type TablesByName } from './data/tables.ts';
import { addOutputs } from './deployment-outputs.ts';
import { NeuronApi } from './edge/api.ts';
import { Edge, type EdgeProps, hasDomain } from './edge/edge.ts';
import { type MetricKey, Monitoring } from './observability/monitoring.ts';
import { grantAuditors, grantOperators } from './operators.ts';

export interface NeuronServiceProps {
  /** Judged settings: `defineStage({ name: 'prod', … })`, where production's stand for those left out. */
  readonly stage: Stage;
  /** Tables of a stack or construct of their own, or some that exist. @default all six are made here */
  readonly tables?: Partial<TablesByName> | undefined;
  /** Encrypts the tables; its policy must let IAM policies of the account decide. @default the stage setting `encryptionKeyArn`, then DynamoDB's own key */
  readonly encryptionKey?: IKey | undefined;
  /** @default the stage setting `domain`, then the API's own address */
  readonly domain?: EdgeProps['domain'];
  /** Takes API Gateway's access log. @default a log group with the stage's retention */
  readonly logBucket?: IBucket | undefined;
  /** Where alarms are told. @default the stage setting `alarms` */
  readonly alarmTopic?: ITopic | undefined;
  /** Code of the functions instead of their bundles, for tests of everything else. @default the bundles */
  readonly code?: Code | undefined;
}

/** A class, because CDK's tree is made of constructs. One a stack: the outputs have fixed names. */
export class NeuronService extends Construct {
  readonly stage: Stage;
  /** Absent where DynamoDB's own key encrypts the tables. */
  readonly encryptionKey: IKey | undefined;
  readonly tables: Tables;
  readonly authorizer: Authorizer;
  readonly executor: Executor;
  readonly rollup: Rollup;
  readonly api: NeuronApi;
  readonly edge: Edge;
  readonly monitoring: Monitoring;
  /** Where callers find the API, with a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: NeuronServiceProps) {
    super(scope, id);
    const { stage, logBucket, code } = props;
    this.stage = stage;
    const encryptionKey = props.encryptionKey ?? importTableKey(this, stage);
    this.encryptionKey = encryptionKey;
    this.tables = new Tables(this, 'Tables', { stage, existing: props.tables, encryptionKey });
    const { tables } = this;
    const environment = functionEnvironment(stage, tables);
    this.authorizer = new Authorizer(this, 'Authorizer', { stage, tables, environment, code });
    this.executor = new Executor(this, 'Executor', { stage, tables, environment, code });
    this.rollup = new Rollup(this, 'Rollup', { stage, tables, environment, code });
    if (encryptionKey !== undefined) letFunctionsUse(encryptionKey, this);
    const { authorizer, executor } = this;
    const closeOwnAddress = hasDomain(props);
    this.api = new NeuronApi(this, 'Api', { stage, authorizer, executor, logBucket, closeOwnAddress });
    const { restApi } = this.api;
    this.edge = new Edge(this, 'FrontDoor', { stage, restApi, domain: props.domain });
    this.monitoring = new Monitoring(this, 'Monitoring', { service: this, alarmTopic: props.alarmTopic });
    this.url = this.edge.url;
    addOutputs(this, environment, {
      apiUrl: this.url,
      bedrockModels: JSON.stringify(stage.bedrock),
      authorizerLogGroup: authorizer.service.logGroup.logGroupName,
      executeLogGroup: executor.service.logGroup.logGroupName,
    });
  }

  /** Lets a role run every `neuron` command against this service. */
  grantOperate(grantee: IGrantable): Grant {
    if (this.encryptionKey !== undefined) grantKeyUse(this.encryptionKey, this, grantee);
    return grantOperators(this, grantee, this);
  }

  /** Lets a role read the audit trail and the usage, by `neuron logs` and `neuron usage` or by queries of its own; it can change nothing. */
  grantAudit(grantee: IGrantable): Grant {
    if (this.encryptionKey !== undefined) grantKeyUse(this.encryptionKey, this, grantee);
    return grantAuditors(grantee, this.tables);
  }

  /** One of the service's own metrics, such as `costMicrodollars`; all are in `core/contract/metrics.ts`. */
  metric(key: MetricKey, options?: MetricOptions): Metric {
    return this.monitoring.metric(key, options);
  }
}
