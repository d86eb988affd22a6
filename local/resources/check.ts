// Checks all resources against the lists of supported and ignored types, so that nothing is ignored silently.
import { localFailure } from '../failure.ts';
import type { ResolvedStack } from '../template/types.ts';
import { type PropertyLists, SUPPORTED_TYPES } from './supported-types.ts';

/**
 * Checks types and properties of all resources.
 * @returns a line for each ignored resource and property, with the reason
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` with all types and properties that are on no list
 */
export function checkResources(stacks: readonly ResolvedStack[]): readonly string[] {
  const problems: string[] = [];
  const notices: string[] = [];
  for (const resource of stacks.flatMap((stack) => stack.resources)) {
    const name = `${resource.stack}/${resource.logicalId} (${resource.type})`;
    const reason = reasonToIgnore(resource.type);
    const lists = SUPPORTED_TYPES[resource.type];
    if (reason !== undefined) notices.push(`${name} is ignored: ${reason}`);
    else if (lists !== undefined) {
      for (const [path, why] of findUnsupported(resource.properties, lists)) {
        if (why === undefined) problems.push(`${name}: the property ${path} is not supported`);
        else notices.push(`${name}: ${path} has no effect: ${why}`);
      }
    } else problems.push(`${name}: the type is not supported`);
  }
  if (problems.length === 0) return notices;
  throw localFailure('TEMPLATE_NOT_SUPPORTED', `The template is not supported:\n  ${problems.join('\n  ')}`);
}

/** Undefined if the type is not ignored. */
function reasonToIgnore(type: string): string | undefined {
  const family = type.split('::').slice(0, 2).join('::');
  return IGNORED_TYPES[type] ?? IGNORED_TYPES[`${family}::*`];
}

// The properties that are not supported: ignored ones with the reason, others without. Properties with listed members are searched,
// also inside lists.
function findUnsupported(
  properties: Readonly<Record<string, unknown>>,
  lists: PropertyLists,
): readonly (readonly [path: string, why: string | undefined])[] {
  const { supported, ignored } = lists;
  const listed = [...supported, ...Object.keys(ignored)];
  const found = new Map<string, string | undefined>();
  const visit = (value: unknown, path: string): void => {
    if (Object.hasOwn(ignored, path)) found.set(path, ignored[path]);
    else if (!listed.some((entry) => entry.startsWith(`${path}.`))) {
      if (!supported.includes(path)) found.set(path, undefined);
    } else if (typeof value === 'object' && value !== null) {
      for (const entry of Array.isArray(value) ? value : [value]) {
        for (const [name, member] of Object.entries(entry ?? {})) visit(member, `${path}.${name}`);
      }
    }
  };
  for (const [name, value] of Object.entries(properties)) visit(value, name);
  return [...found];
}

const NO_IAM = 'no permission is checked on one machine';
const NO_CLOUDWATCH = 'there is no CloudWatch: the functions write their logs to files';
const NO_ENCRYPTION = 'tables and secrets are files of this user; nothing encrypts them with a key of AWS';
const NO_DOMAIN = 'the only address is 127.0.0.1';
const NO_API_KEYS = 'methods that need an API key are refused, so there is nothing to count by key';
const NO_NOTIFICATIONS = 'there are no subscribers: what functions publish is in notifications.jsonl';
const NO_FIREWALL = 'there is no firewall in front of 127.0.0.1';
const NO_ROLLOUT = 'there is one version of the code, and it is replaced at once';
const NO_ASYNCHRONOUS_CALLS = 'nothing calls functions asynchronously';
const NO_STORE_OF_OBJECTS = 'there is no S3: what writes there will fail';
const MADE_BY_CDK = "the CDK's own helper acts on resources that are not here";

/** By resource type; `*` stands for all types of a service. */
const IGNORED_TYPES: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::Account': NO_CLOUDWATCH,
  'AWS::ApiGateway::ApiKey': NO_API_KEYS,
  'AWS::ApiGateway::BasePathMapping': NO_DOMAIN,
  'AWS::ApiGateway::BasePathMappingV2': NO_DOMAIN,
  'AWS::ApiGateway::DocumentationPart': 'documentation',
  'AWS::ApiGateway::DocumentationVersion': 'documentation',
  'AWS::ApiGateway::DomainName': NO_DOMAIN,
  'AWS::ApiGateway::DomainNameV2': NO_DOMAIN,
  'AWS::ApiGateway::Model': 'read by request validators only, which are refused',
  'AWS::ApiGateway::UsagePlan': NO_API_KEYS,
  'AWS::ApiGateway::UsagePlanKey': NO_API_KEYS,
  'AWS::ApplicationAutoScaling::*': 'the processes per function are an option of the local run',
  'AWS::Athena::*': 'reads exports in S3, which is not here',
  'AWS::Backup::*': 'copy the data folder instead',
  'AWS::Budgets::Budget': 'nothing costs anything here',
  'AWS::CDK::Metadata': 'tells AWS which constructs were used',
  'AWS::CertificateManager::Certificate': 'there is no TLS on 127.0.0.1',
  'AWS::Chatbot::*': NO_NOTIFICATIONS,
  'AWS::CloudFormation::WaitConditionHandle': 'there is nothing to wait for',
  'AWS::CloudFront::*': NO_DOMAIN,
  'AWS::CloudTrail::Trail': 'nobody else acts on one machine',
  'AWS::CloudWatch::*': NO_CLOUDWATCH,
  'AWS::CodeDeploy::*': NO_ROLLOUT,
  'AWS::DynamoDB::ResourcePolicy': NO_IAM,
  'AWS::Glue::*': 'reads exports in S3, which is not here',
  'AWS::IAM::*': NO_IAM,
  'AWS::KMS::*': NO_ENCRYPTION,
  'AWS::KinesisFirehose::DeliveryStream': NO_STORE_OF_OBJECTS,
  'AWS::Lambda::CapacityProvider': 'functions run on this machine',
  'AWS::Lambda::EventInvokeConfig': NO_ASYNCHRONOUS_CALLS,
  'AWS::Lambda::Permission': NO_IAM,
  'AWS::Logs::*': NO_CLOUDWATCH,
  'AWS::Route53::*': NO_DOMAIN,
  'AWS::S3::Bucket': NO_STORE_OF_OBJECTS,
  'AWS::S3::BucketPolicy': NO_IAM,
  'AWS::SNS::*': NO_NOTIFICATIONS,
  'AWS::SQS::QueuePolicy': NO_IAM,
  'AWS::SSM::Parameter': 'there is no Parameter Store: what reads it will fail',
  'AWS::SecretsManager::ResourcePolicy': NO_IAM,
  'AWS::ServiceCatalogAppRegistry::*': 'a label',
  'AWS::Signer::*': 'the code is that of this machine',
  'AWS::Synthetics::*': NO_CLOUDWATCH,
  'AWS::WAFv2::*': NO_FIREWALL,
  'AWS::XRay::*': 'there is no X-Ray',
  'Custom::CDKBucketDeployment': MADE_BY_CDK,
  'Custom::CrossRegionExportReader': MADE_BY_CDK,
  'Custom::CrossRegionExportWriter': MADE_BY_CDK,
  'Custom::DescribeCognitoUserPoolClient': MADE_BY_CDK,
  'Custom::LogRetention': NO_CLOUDWATCH,
  'Custom::S3AutoDeleteObjects': NO_STORE_OF_OBJECTS,
  'Custom::S3BucketNotifications': MADE_BY_CDK,
};
