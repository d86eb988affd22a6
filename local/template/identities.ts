// The names of resources: `Ref` and `Fn::GetAtt` for each type.

import { createHash } from 'node:crypto';
import type { PseudoParameters } from './types.ts';

/** The names by which other resources refer to one. */
export interface Identity {
  /** `Ref`. */
  readonly physicalId: string;
  /** `Fn::GetAtt …Arn`, if the type has an ARN. */
  readonly arn?: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** For an ignored type: any attribute gets a made-up name, since only policies and outputs read it. */
  readonly madeUp?: true;
}

interface Naming {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
  readonly pseudo: PseudoParameters;
  /** The resolved text of a property such as `TableName`, if the template has it. */
  property(name: string): string | undefined;
}

/**
 * Names a resource. A name that the template leaves open is made of stack and logical id, without AWS's random characters: the
 * next run must find the data again.
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
  'AWS::Lambda::CapacityProvider': named('lambda', 'CapacityProviderName', 'capacity-provider:'),
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
  'AWS::Events::Rule': named('events', 'Name', 'rule/'),
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

function table(naming: Naming): Identity {
  const physicalId = naming.property('TableName') ?? generatedName(naming);
  const arn = arnOf(naming, 'dynamodb', `table/${physicalId}`);
  // On AWS the label is the time at which the stream was created.
  const streamArn = `${arn}/stream/1970-01-01T00:00:00.000`;
  return { physicalId, arn, attributes: { StreamArn: streamArn, TableId: shortHash(naming, 36) } };
}

function functionArn(naming: Naming): string {
  const target = naming.property('FunctionName') ?? '';
  return target.startsWith('arn:') ? target : arnOf(naming, 'lambda', `function:${target}`);
}

// Policies and outputs take any well-formed name.
function identifyOther(naming: Naming): Identity {
  const physicalId = generatedName(naming);
  const service = (naming.type.split('::')[1] ?? 'custom').toLowerCase();
  return { physicalId, arn: arnOf(naming, service, physicalId), attributes: {}, madeUp: true };
}

function arnOf({ pseudo }: Naming, service: string, resource: string): string {
  return `arn:${pseudo.partition}:${service}:${pseudo.region}:${pseudo.accountId}:${resource}`;
}

// Functions, roles and rules take 64 characters; a longer name ends in a hash.
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
