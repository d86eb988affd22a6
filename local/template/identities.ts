// The names of resources: what `Ref` and `Fn::GetAtt` give for each type.

import { createHash } from 'node:crypto';
import type { PseudoParameters } from './types.ts';

/** How other resources refer to one. */
export interface Identity {
  /** What `Ref` gives. */
  readonly physicalId: string;
  /** What `Fn::GetAtt …Arn` gives, where the type has an ARN. */
  readonly arn?: string;
  /** Further attributes by name. */
  readonly attributes: Readonly<Record<string, string>>;
  /** A type that the local run ignores: a name is made up for any attribute, since nothing but policies and outputs read it. */
  readonly madeUp?: true;
}

/** Settings for naming a resource. */
interface Naming {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
  readonly pseudo: PseudoParameters;
  /** The resolved text of a property such as `TableName`; undefined when the template leaves it open. */
  property(name: string): string | undefined;
}

/**
 * Names a resource. A name that the template leaves open is made of stack and logical id, always the same: the data of the
 * last run must be found again. (AWS adds random characters.)
 */
export function identify(naming: Naming): Identity {
  return (IDENTITIES[naming.type] ?? identifyOther)(naming);
}

type Identify = (naming: Naming) => Identity;

const named =
  (service: string, property: string, resource: string): Identify =>
  (naming) => {
    const physicalId = naming.property(property) ?? generatedName(naming);
    return { physicalId, arn: arnOf(naming, service, `${resource}${physicalId}`), attributes: {} };
  };

const opaque =
  (attribute: string, length = 10): Identify =>
  (naming) => {
    const physicalId = shortHash(naming, length);
    return { physicalId, attributes: { [attribute]: physicalId } };
  };

// CloudFormation Template Reference, "Return values" of each type.
const IDENTITIES: Readonly<Record<string, Identify>> = {
  'AWS::ApiGateway::RestApi': (naming) => {
    const physicalId = shortHash(naming, 10);
    return {
      physicalId,
      attributes: { RestApiId: physicalId, RootResourceId: shortHash(naming, 10, 'root') },
    };
  },
  'AWS::ApiGateway::Resource': opaque('ResourceId', 6),
  'AWS::ApiGateway::Deployment': opaque('DeploymentId', 6),
  'AWS::ApiGateway::Authorizer': opaque('AuthorizerId', 6),
  'AWS::ApiGateway::GatewayResponse': opaque('Id'),
  'AWS::ApiGateway::Stage': (naming) => ({
    physicalId: naming.property('StageName') ?? generatedName(naming),
    attributes: {},
  }),
  'AWS::Lambda::Function': named('lambda', 'FunctionName', 'function:'),
  'AWS::Lambda::Version': (naming) => {
    const arn = `${functionArn(naming)}:1`;
    return { physicalId: arn, arn, attributes: { FunctionArn: arn, Version: '1' } };
  },
  'AWS::Lambda::Alias': (naming) => {
    const arn = `${functionArn(naming)}:${naming.property('Name') ?? ''}`;
    return { physicalId: arn, arn, attributes: { AliasArn: arn } };
  },
  'AWS::Lambda::EventSourceMapping': opaque('Id', 36),
  'AWS::DynamoDB::Table': table,
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::SecretsManager::Secret': (naming) => {
    const name = naming.property('Name') ?? generatedName(naming);
    const arn = secretArn(naming.pseudo, name);
    return { physicalId: arn, arn, attributes: { Id: arn } };
  },
  'AWS::Events::Rule': named('events', 'Name', 'rule/'),
  'AWS::Scheduler::Schedule': named('scheduler', 'Name', 'schedule/default/'),
  'AWS::IAM::Role': (naming) => {
    const physicalId = naming.property('RoleName') ?? generatedName(naming);
    const arn = `arn:${naming.pseudo.partition}:iam::${naming.pseudo.accountId}:role/${physicalId}`;
    return { physicalId, arn, attributes: { RoleId: shortHash(naming, 20) }, madeUp: true };
  },
  'AWS::Logs::LogGroup': (naming) => {
    const physicalId = naming.property('LogGroupName') ?? generatedName(naming);
    return {
      physicalId,
      arn: arnOf(naming, 'logs', `log-group:${physicalId}:*`),
      attributes: {},
      madeUp: true,
    };
  },
  'AWS::SNS::Topic': (naming) => {
    const name = naming.property('TopicName') ?? generatedName(naming);
    const arn = arnOf(naming, 'sns', name);
    return { physicalId: arn, arn, attributes: { TopicArn: arn, TopicName: name }, madeUp: true };
  },
  'AWS::KMS::Key': (naming) => {
    const physicalId = shortHash(naming, 36);
    return {
      physicalId,
      arn: arnOf(naming, 'kms', `key/${physicalId}`),
      attributes: { KeyId: physicalId },
      madeUp: true,
    };
  },
  'AWS::S3::Bucket': (naming) => {
    const physicalId = naming.property('BucketName') ?? generatedName(naming).toLowerCase();
    return {
      physicalId,
      arn: `arn:${naming.pseudo.partition}:s3:::${physicalId}`,
      attributes: {},
      madeUp: true,
    };
  },
};

/**
 * The ARN of a secret: Secrets Manager ends it in a hyphen and six characters. They are derived from the name, so that a
 * template and the stand-in agree without asking each other.
 */
export function secretArn({ partition, region, accountId }: PseudoParameters, name: string): string {
  const suffix = createHash('sha256').update(`secret ${name}`).digest('hex').slice(0, 6);
  return `arn:${partition}:secretsmanager:${region}:${accountId}:secret:${name}-${suffix}`;
}

function table(naming: Naming): Identity {
  const physicalId = naming.property('TableName') ?? generatedName(naming);
  const arn = arnOf(naming, 'dynamodb', `table/${physicalId}`);
  // The real label is the time at which the stream was made.
  const streamArn = `${arn}/stream/1970-01-01T00:00:00.000`;
  return { physicalId, arn, attributes: { StreamArn: streamArn, TableId: shortHash(naming, 36) } };
}

function functionArn(naming: Naming): string {
  const target = naming.property('FunctionName') ?? '';
  return target.startsWith('arn:') ? target : arnOf(naming, 'lambda', `function:${target}`);
}

// Types that the local run ignores are only named in policies and outputs: any well-formed name will do.
function identifyOther(naming: Naming): Identity {
  const physicalId = generatedName(naming);
  const service = (naming.type.split('::')[1] ?? 'custom').toLowerCase();
  return { physicalId, arn: arnOf(naming, service, physicalId), attributes: {}, madeUp: true };
}

function arnOf({ pseudo }: Naming, service: string, resource: string): string {
  return `arn:${pseudo.partition}:${service}:${pseudo.region}:${pseudo.accountId}:${resource}`;
}

// Functions, roles and rules take 64 characters: a longer name ends in a hash instead.
function generatedName(naming: Naming): string {
  const name = `${naming.stack}-${naming.logicalId}`;
  return name.length <= 64 ? name : `${name.slice(0, 53)}-${shortHash(naming, 10)}`;
}

function shortHash({ stack, logicalId }: Naming, length: number, purpose = ''): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([stack, logicalId, purpose]))
    .digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, length);
}
