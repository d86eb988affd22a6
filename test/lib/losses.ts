// What an update from one template to another would lose: resources that hold data, or are an address.
import { type Resource, resourcesOf, type Template } from './synthesized.ts';

/**
 * By type, the properties whose change makes CloudFormation put a new resource in the place of the old one
 * ("Update requires: Replacement" in the template reference of each type). Members of a list are compared whole.
 */
export const REPLACED_BY: Readonly<Record<string, readonly string[]>> = {
  // An attribute may be added for an index; the key's may not change. Of stream and indexes some changes are refused, none replaces.
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::ApiGateway::DomainName': ['DomainName'],
  'AWS::KMS::Key': [],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::S3::Bucket': ['BucketName', 'BucketNamePrefix', 'ObjectLockEnabled'],
  'AWS::SecretsManager::Secret': ['Name'],
};

/** What an update from one template to the other would lose, one line each. */
export function losses(before: Template, after: Template): string[] {
  return Object.entries(REPLACED_BY).flatMap(([type, properties]) =>
    resourcesOf(before, type).flatMap(([id, old]) => {
      const now: Resource | undefined = after.Resources[id];
      if (now === undefined) return [`${id} is removed`];
      if (now.Type !== type) return [`${id} becomes another type`];
      return properties
        .filter((name) => JSON.stringify(old.Properties?.[name]) !== JSON.stringify(now.Properties?.[name]))
        .map((name) => `${id} is replaced: ${name} changed`);
    }),
  );
}
