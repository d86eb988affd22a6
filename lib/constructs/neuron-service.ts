// The whole service as one construct, for this app's stacks and for other CDK apps.

import { CfnOutput, Stack, Tags, Token } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { OPTIONAL_OUTPUTS, OUTPUTS } from '../../core/contract/outputs.ts';
import type { FunctionEnvironment } from '../../lambdas/environment.ts';
import type { Stage } from '../config/config.ts';
import { StageError } from '../config/stage-error.ts';
import { Archiver } from './compute/archiver.ts';
import { Authorizer } from './compute/authorizer.ts';
import { Executor } from './compute/executor.ts';
import { functionEnvironment } from './compute/function-environment.ts';
import { HeadWriter } from './compute/head-writer.ts';
import { RolloutWatch } from './compute/rollout-watch.ts';
import { Rollup } from './compute/rollup.ts';
import {
  encryptResources,
  grantDecryptSecrets,
  grantEncryptObjects,
  grantEncryptSecrets,
  grantKeyUse,
  grantKeyUseToFunctions,
  importEncryptionKey,
} from './data/encryption-key.ts';
import { grantAuthor, grantKeys, grantView, type OrganizationScope } from './data/grant-roles.ts';
import { ManagedPolicies } from './data/managed-policies.ts';
import { Tables, type TablesByName } from './data/tables.ts';
import { NeuronApi } from './edge/api.ts';
import { Edge, type EdgeProps, hasDomain } from './edge/edge.ts';
import { type MetricKey, Monitoring } from './observability/monitoring.ts';

export interface NeuronServiceProps {
  /** Validated settings, from `defineStage({ name: 'prod', … })`: omitted settings are those of production. */
  readonly stage: Stage;
  /** Existing tables, or tables of another stack or construct. @default all six are created here */
  readonly tables?: Partial<TablesByName> | undefined;
  /**
   * Encrypts tables, log groups, environments, the topic of the alarms, buckets and secrets. Its policy must delegate to the account's IAM
   * policies; one that is made in the app gets the statements for CloudWatch here. @default the stage setting `encryptionKeyArn`, then AWS's own keys
   */
  readonly encryptionKey?: IKey | undefined;
  /** @default the stage setting `domain`, then the API's own address */
  readonly domain?: EdgeProps['domain'];
  /** Receives API Gateway's access log. @default a log group with the stage's retention */
  readonly logBucket?: IBucket | undefined;
  /** Receives the alarms. @default the stage setting `alarms` */
  readonly alarmTopic?: ITopic | undefined;
  /** Code of the functions instead of their bundles, for tests of everything else. @default the bundles */
  readonly code?: Code | undefined;
}

/** One per stack: the outputs have fixed names. */
export class NeuronService extends Construct {
  readonly stage: Stage;
  /** Absent where AWS's own keys encrypt everything. */
  readonly encryptionKey: IKey | undefined;
  readonly tables: Tables;
  readonly authorizer: Authorizer;
  readonly executor: Executor;
  readonly rollup: Rollup;
  readonly rolloutWatch: RolloutWatch;
  /** Absent where the stage has no setting `logHeads`. */
  readonly headWriter: HeadWriter | undefined;
  /** Absent where the stage has no setting `archive`. */
  readonly archiver: Archiver | undefined;
  readonly api: NeuronApi;
  readonly edge: Edge;
  readonly monitoring: Monitoring;
  /** Absent where the stage has no setting `managedPolicies`. */
  readonly managedPolicies: ManagedPolicies | undefined;
  /** Where callers find the API, with a slash at the end. */
  readonly url: string;

  readonly #environment: FunctionEnvironment;

  constructor(scope: Construct, id: string, props: NeuronServiceProps) {
    super(scope, id);
    const { stage, logBucket, code } = props;
    checkStage(stage);
    this.stage = stage;
    checkRegion(this, stage);
    checkAlone(this);
    const encryptionKey = props.encryptionKey ?? importEncryptionKey(this, stage);
    this.encryptionKey = encryptionKey;
    this.tables = new Tables(this, 'Tables', { stage, existing: props.tables, encryptionKey });
    const { tables } = this;
    const environment = functionEnvironment(stage, tables);
    this.#environment = environment;
    this.authorizer = new Authorizer(this, 'Authorizer', { stage, tables, environment, code });
    this.executor = new Executor(this, 'Executor', { stage, tables, environment, code });
    this.rollup = new Rollup(this, 'Rollup', { stage, tables, environment, code });
    this.rolloutWatch = new RolloutWatch(this, 'RolloutWatch', { stage, tables, environment, code });
    if (stage.logHeads !== undefined)
      this.headWriter = new HeadWriter(this, 'HeadWriter', { stage, tables, environment, code });
    if (stage.archive !== undefined) {
      const settings = stage.archive;
      this.archiver = new Archiver(this, 'Archiver', { stage, tables, environment, code, settings });
    }
    const { authorizer, executor } = this;
    const disableOwnAddress = hasDomain(props);
    this.api = new NeuronApi(this, 'Api', { stage, authorizer, executor, logBucket, disableOwnAddress });
    const { restApi } = this.api;
    this.edge = new Edge(this, 'FrontDoor', { stage, restApi, domain: props.domain });
    this.monitoring = new Monitoring(this, 'Monitoring', { service: this, alarmTopic: props.alarmTopic });
    const topic = this.monitoring.alarms?.topic;
    if (topic !== undefined) this.rollup.alerting.sendTo(topic, this.#topicKeyArn(props));
    this.url = this.edge.url;
    if (stage.managedPolicies !== undefined)
      this.managedPolicies = new ManagedPolicies(this, 'ManagedPolicies', {
        settings: stage.managedPolicies,
        grants: this,
      });
    for (const [name, value] of Object.entries(stage.tags ?? {})) Tags.of(this).add(name, value);
    if (encryptionKey !== undefined) this.#encrypt(encryptionKey);
    this.#addOutputs();
  }

  /**
   * Grants every `neuron` command against this service but `logs restore`: find the stack, change settings, keys and secrets,
   * and read the log.
   */
  grantOperate(grantee: IGrantable): Grant {
    if (this.encryptionKey !== undefined) {
      grantKeyUse(this.encryptionKey, this, grantee);
      grantEncryptSecrets(this.encryptionKey, this, grantee);
    }
    const { tables } = this;
    const describeTables = Grant.addToPrincipal({
      grantee,
      actions: ['dynamodb:DescribeTable'],
      resourceArns: Object.values(tables.byName).map(({ tableArn }) => tableArn),
    });
    return [this.#grantSecrets(grantee), grantFindStacks(grantee), describeTables].reduce(
      (all, one) => all.combine(one),
      tables.grantOperate(grantee),
    );
  }

  /** Grants `neuron logs restore` beside `grantOperate`: read the functions' log groups, and append calls to the log. */
  grantRestore(grantee: IGrantable): Grant {
    return [this.authorizer, this.executor]
      .map(({ service }) => service.logGroup.grant(grantee, 'logs:FilterLogEvents'))
      .reduce((all, one) => all.combine(one), this.tables.grantRestore(grantee));
  }

  /** Grants `neuron apply` of neurons and `neuron versions`, in all organizations or some; no API keys, secrets and calls. */
  grantAuthor(grantee: IGrantable, scope?: OrganizationScope): Grant {
    if (this.encryptionKey !== undefined) grantKeyUse(this.encryptionKey, this, grantee);
    return grantAuthor(this.tables, grantee, scope).combine(grantFindStacks(grantee));
  }

  /** Grants `neuron keys`, of all organizations; no settings can be changed, and no secret is read. */
  grantKeys(grantee: IGrantable): Grant {
    if (this.encryptionKey !== undefined) grantKeyUse(this.encryptionKey, this, grantee);
    return grantKeys(this.tables, grantee).combine(grantFindStacks(grantee));
  }

  /** Grants `neuron users erase` beside `grantOperate`: it can put over calls in the log, which `neuron logs verify` shows. */
  grantErase(grantee: IGrantable): Grant {
    return this.tables.grantErase(grantee);
  }

  /** Grants `neuron logs export` beside `grantAudit`: each export is recorded as a change. */
  grantExport(grantee: IGrantable): Grant {
    return this.tables.grantExport(grantee);
  }

  /** Grants `neuron logs` and `neuron usage`, and queries on the audit trail and the usage; nothing can be changed. */
  grantAudit(grantee: IGrantable): Grant {
    if (this.encryptionKey !== undefined) grantKeyUse(this.encryptionKey, this, grantee);
    return this.tables.grantAudit(grantee).combine(grantFindStacks(grantee));
  }

  /** Grants `neuron logs` and `neuron usage` without texts of callers and models; nothing can be changed. */
  grantView(grantee: IGrantable): Grant {
    if (this.encryptionKey !== undefined) grantKeyUse(this.encryptionKey, this, grantee);
    return grantView(this.tables, grantee).combine(grantFindStacks(grantee));
  }

  /** One of the service's own metrics, such as `costMicrodollars`; all are in `core/contract/metrics.ts`. */
  metric(key: MetricKey, options?: MetricOptions): Metric {
    return this.monitoring.metric(key, options);
  }

  /** Everything that takes a key exists by now. */
  #encrypt(key: IKey): void {
    encryptResources(key, this);
    grantKeyUseToFunctions(key, this);
    for (const { service } of [this.authorizer, this.executor]) grantDecryptSecrets(key, this, service.role);
    grantEncryptObjects(key, this, this.rollup.service.role);
  }

  /** The key of the alarms' topic: a topic that exists already has its own. */
  #topicKeyArn({ alarmTopic }: NeuronServiceProps): string | undefined {
    const { alarms } = this.stage;
    const isOwn = alarmTopic === undefined && alarms?.topicArn === undefined;
    return isOwn ? this.encryptionKey?.keyArn : alarms?.topicKeyArn;
  }

  #grantSecrets(grantee: IGrantable): Grant {
    return Grant.addToPrincipal({
      grantee,
      actions: [
        'secretsmanager:CreateSecret',
        'secretsmanager:DeleteSecret',
        'secretsmanager:DescribeSecret',
        'secretsmanager:GetSecretValue',
        'secretsmanager:PutSecretValue',
        'secretsmanager:UpdateSecretVersionStage',
      ],
      resourceArns: [
        Stack.of(this).formatArn({
          service: 'secretsmanager',
          resource: `secret:${this.#environment.secretPrefix}/*`,
        }),
      ],
    });
  }

  /** The `neuron` command finds a deployment by these outputs. Their names are fixed wherever the construct stands. */
  #addOutputs(): void {
    const values: Readonly<Record<keyof typeof OUTPUTS, unknown>> = {
      ...this.#environment,
      apiUrl: this.url,
      stageName: this.stage.name,
      bedrockModels: JSON.stringify(this.stage.bedrock),
      providerHosts: JSON.stringify(this.stage.providerHosts ?? null),
      authorizerLogGroup: this.authorizer.service.logGroup.logGroupName,
      executeLogGroup: this.executor.service.logGroup.logGroupName,
    };
    for (const [name, id] of Object.entries(OUTPUTS)) {
      new CfnOutput(this, id, { value: String(values[name as keyof typeof OUTPUTS]) }).overrideLogicalId(id);
    }
    if (this.encryptionKey === undefined) return;
    const id = OPTIONAL_OUTPUTS.encryptionKeyArn;
    new CfnOutput(this, id, { value: this.encryptionKey.keyArn }).overrideLogicalId(id);
  }
}

/** In plain JavaScript nothing else says what is missing. */
function checkStage(stage: Partial<Stage> | undefined): void {
  if (typeof stage?.maxDeadline === 'number') return;
  const wrong = stage === undefined ? 'is missing' : 'has settings that were not validated';
  throw new StageError(
    `The prop stage of NeuronService ${wrong}. Pass stage: defineStage({ name: '${stage?.name ?? 'prod'}' }).`,
  );
}

/** Key, certificate, web ACL and topic of the stage must be in the region of the service. */
function checkRegion(scope: Construct, { name, region }: Stage): void {
  const stack = Stack.of(scope);
  // A stack without a region is deployed to that of the CDK command, which hands it over in this variable.
  const actual = Token.isUnresolved(stack.region) ? process.env['CDK_DEFAULT_REGION'] : stack.region;
  if (region === undefined || actual === undefined || actual === region) return;
  throw new StageError(
    `The stage ${name} is in ${region}, by its region or an ARN in its settings; its stack ${stack.stackName} is in ${actual}. Pass env: { region: '${region}' } to the stack, or change the stage.`,
  );
}

/** Two services cannot share a stack, where outputs have fixed names, nor a stage in one environment, where secrets and logs have. */
function checkAlone(service: NeuronService): void {
  const stack = Stack.of(service);
  for (const other of service.node.root.node.findAll()) {
    if (!(other instanceof NeuronService) || other === service) continue;
    const others = Stack.of(other);
    if (others === stack)
      throw new StageError(
        `The stack ${stack.stackName} has two services, ${other.node.id} and ${service.node.id}. Put each into a stack of its own, with a stage of its own.`,
      );
    if (other.stage.name === service.stage.name && others.environment === stack.environment)
      throw new StageError(
        `The stacks ${others.stackName} and ${stack.stackName} both have a service of the stage ${service.stage.name} in ${stack.environment}: they would share secrets and names. Change the name of one stage.`,
      );
  }
}

/** The command looks for the stacks that have its outputs, so it lists all of them. */
function grantFindStacks(grantee: IGrantable): Grant {
  return Grant.addToPrincipal({ grantee, actions: ['cloudformation:DescribeStacks'], resourceArns: ['*'] });
}
