// The IAM actions that CloudFormation needs for each type of resource that the templates have.
// Source: `handlers.*.permissions` of AWS's resource schemas (docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html),
// as of 2026-08-07. Left out: services that no template uses, reads and writes of data, replicas of tables, policies of data protection, code
// signing, properties of buckets that none has. AWS::Lambda::CapacityProvider and AWS::XRay::SamplingRule: the actions of their APIs, since their schemas have not been read. AWS::Route53::RecordSet has no handlers: its actions are those of the Route 53 developer guide.

/** Actions by type, as `service:Action,Action,…`. */
export const ACTIONS_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::Account': ['apigateway:GET,PATCH', 'iam:GetRole,PassRole'],
  'AWS::ApiGateway::Authorizer': ['apigateway:DELETE,GET,PATCH,POST', 'iam:PassRole'],
  'AWS::ApiGateway::BasePathMapping': ['apigateway:DELETE,GET,PATCH,POST'],
  'AWS::ApiGateway::Deployment': ['apigateway:DELETE,GET,PATCH,POST,PUT'],
  'AWS::ApiGateway::DomainName': ['apigateway:DELETE,GET,PATCH,POST,PUT'],
  'AWS::ApiGateway::GatewayResponse': ['apigateway:DELETE,GET,PUT'],
  'AWS::ApiGateway::Method': ['apigateway:DELETE,GET,PUT', 'iam:PassRole'],
  'AWS::ApiGateway::Resource': ['apigateway:DELETE,GET,PATCH,POST'],
  'AWS::ApiGateway::RestApi': ['apigateway:DELETE,GET,PATCH,POST,PUT', 'iam:PassRole', 's3:GetObject'],
  'AWS::ApiGateway::Stage': ['apigateway:DELETE,GET,PATCH,POST,PUT'],
  'AWS::CloudWatch::Alarm': [
    'cloudwatch:DeleteAlarms,DescribeAlarms,ListTagsForResource,PutMetricAlarm,TagResource,UntagResource',
  ],
  'AWS::CloudWatch::CompositeAlarm': [
    'cloudwatch:DeleteAlarms,DescribeAlarms,ListTagsForResource,PutCompositeAlarm,TagResource,UntagResource',
  ],
  'AWS::CloudWatch::Dashboard': [
    'cloudwatch:DeleteDashboards,GetDashboard,ListTagsForResource,PutDashboard,TagResource,UntagResource',
  ],
  'AWS::CodeDeploy::Application': [
    'codedeploy:CreateApplication,DeleteApplication,GetApplication,ListTagsForResource,TagResource,UntagResource',
  ],
  'AWS::CodeDeploy::DeploymentGroup': [
    'codedeploy:CreateDeployment,CreateDeploymentGroup,DeleteDeploymentGroup,GetApplicationRevision,GetDeployment,GetDeploymentConfig,GetDeploymentGroup,ListDeployments,ListTagsForResource,RegisterApplicationRevision,StopDeployment,TagResource,UntagResource,UpdateDeploymentGroup',
    'iam:PassRole',
  ],
  'AWS::DynamoDB::GlobalTable': [
    'dynamodb:CreateTable,DeleteTable,Describe*,GetResourcePolicy,ListTagsOfResource,TagResource,UntagResource,UpdateContinuousBackups,UpdateContributorInsights,UpdateTable,UpdateTimeToLive',
    'iam:CreateServiceLinkedRole',
    'kms:CreateGrant,Decrypt,DescribeKey,ListAliases,RevokeGrant',
  ],
  'AWS::Events::Rule': [
    'events:DeleteRule,DescribeRule,ListTagsForResource,ListTargetsByRule,PutRule,PutTargets,RemoveTargets,TagResource,UntagResource',
    'iam:PassRole',
  ],
  'AWS::IAM::ManagedPolicy': [
    'iam:AttachGroupPolicy,AttachRolePolicy,AttachUserPolicy,CreatePolicy,CreatePolicyVersion,DeletePolicy,DeletePolicyVersion,DetachGroupPolicy,DetachRolePolicy,DetachUserPolicy,GetPolicy,GetPolicyVersion,ListEntitiesForPolicy,ListPolicyVersions',
  ],
  'AWS::IAM::Policy': ['iam:DeleteRolePolicy,GetRolePolicy,PutRolePolicy'],
  'AWS::IAM::Role': [
    'iam:AttachRolePolicy,CreateRole,DeleteRole,DeleteRolePermissionsBoundary,DeleteRolePolicy,DetachRolePolicy,GetRole,GetRolePolicy,ListAttachedRolePolicies,ListRolePolicies,PutRolePermissionsBoundary,PutRolePolicy,TagRole,UntagRole,UpdateAssumeRolePolicy,UpdateRole,UpdateRoleDescription',
  ],
  'AWS::Lambda::Alias': [
    'codedeploy:CreateDeployment,GetDeployment,GetDeploymentConfig,GetDeploymentGroup,StopDeployment',
    'lambda:CreateAlias,DeleteAlias,DeleteProvisionedConcurrencyConfig,GetAlias,GetProvisionedConcurrencyConfig,PutProvisionedConcurrencyConfig,UpdateAlias',
  ],
  'AWS::Lambda::CapacityProvider': [
    'iam:PassRole',
    'lambda:CreateCapacityProvider,DeleteCapacityProvider,GetCapacityProvider,ListTags,PassCapacityProvider,TagResource,UntagResource,UpdateCapacityProvider',
  ],
  'AWS::Lambda::EventInvokeConfig': [
    'lambda:DeleteFunctionEventInvokeConfig,GetFunctionEventInvokeConfig,PutFunctionEventInvokeConfig,UpdateFunctionEventInvokeConfig',
  ],
  'AWS::Lambda::EventSourceMapping': [
    'kms:Decrypt,DescribeKey,GenerateDataKey',
    'lambda:CreateEventSourceMapping,DeleteEventSourceMapping,GetEventSourceMapping,ListTags,TagResource,UntagResource,UpdateEventSourceMapping',
  ],
  'AWS::Lambda::Function': [
    'iam:PassRole',
    'kms:CreateGrant,Decrypt,DescribeKey,Encrypt,GenerateDataKey',
    'lambda:CreateFunction,DeleteFunction,DeleteFunctionConcurrency,GetCodeSigningConfig,GetFunction,GetFunctionCodeSigningConfig,GetFunctionRecursionConfig,GetFunctionScalingConfig,GetRuntimeManagementConfig,PublishVersion,PutFunctionConcurrency,PutFunctionRecursionConfig,PutFunctionScalingConfig,PutRuntimeManagementConfig,TagResource,UntagResource,UpdateFunctionCode,UpdateFunctionConfiguration',
    's3:GetObject,GetObjectVersion',
  ],
  'AWS::Lambda::Permission': ['lambda:AddPermission,GetPolicy,RemovePermission'],
  'AWS::Lambda::Version': [
    'lambda:DeleteFunction,GetFunctionConfiguration,GetFunctionScalingConfig,GetProvisionedConcurrencyConfig,GetRuntimeManagementConfig,ListVersionsByFunction,PublishVersion,PutProvisionedConcurrencyConfig,PutRuntimeManagementConfig',
  ],
  'AWS::Logs::LogGroup': [
    'firehose:TagDeliveryStream',
    'logs:AssociateKmsKey,CreateLogDelivery,CreateLogGroup,DeleteLogGroup,DeleteResourcePolicy,DeleteRetentionPolicy,DescribeIndexPolicies,DescribeLogGroups,DescribeResourcePolicies,DisassociateKmsKey,GetDataProtectionPolicy,ListTagsForResource,PutLogGroupDeletionProtection,PutResourcePolicy,PutRetentionPolicy,TagResource,UntagResource',
  ],
  'AWS::Logs::MetricFilter': ['logs:DeleteMetricFilter,DescribeMetricFilters,PutMetricFilter'],
  'AWS::Route53::RecordSet': [
    'route53:ChangeResourceRecordSets,GetChange,GetHostedZone,ListResourceRecordSets',
  ],
  'AWS::S3::Bucket': [
    's3:CreateBucket,DeleteBucket,GetBucketOwnershipControls,GetBucketPublicAccessBlock,GetBucketTagging,GetBucketVersioning',
    's3:GetEncryptionConfiguration,GetLifecycleConfiguration,ListBucket,ListTagsForResource,PutBucketOwnershipControls',
    's3:PutBucketPublicAccessBlock,PutBucketTagging,PutEncryptionConfiguration,PutLifecycleConfiguration,TagResource,UntagResource',
  ],
  'AWS::S3::BucketPolicy': ['s3:DeleteBucketPolicy,GetBucketPolicy,PutBucketPolicy'],
  'AWS::SNS::Subscription': [
    'iam:GetRole,PassRole',
    'sns:GetSubscriptionAttributes,SetSubscriptionAttributes,Subscribe,Unsubscribe',
  ],
  'AWS::SNS::Topic': [
    'iam:GetRole,PassRole',
    'sns:CreateTopic,DeleteTopic,GetDataProtectionPolicy,GetTopicAttributes,ListSubscriptionsByTopic,ListTagsForResource,SetTopicAttributes,Subscribe,TagResource,Unsubscribe,UntagResource',
  ],
  'AWS::SNS::TopicPolicy': ['sns:SetTopicAttributes'],
  'AWS::WAFv2::LoggingConfiguration': [
    'iam:CreateServiceLinkedRole',
    'logs:CreateLogDelivery,DeleteLogDelivery,DescribeLogGroups,DescribeResourcePolicies,PutResourcePolicy',
    'wafv2:DeleteLoggingConfiguration,GetLoggingConfiguration,PutLoggingConfiguration',
  ],
  'AWS::WAFv2::WebACL': [
    'wafv2:CreateWebACL,DeleteWebACL,GetWebACL,ListTagsForResource,TagResource,UntagResource,UpdateWebACL',
  ],
  'AWS::WAFv2::WebACLAssociation': [
    'apigateway:SetWebACL',
    'wafv2:AssociateWebACL,DisassociateWebACL,GetWebACL,GetWebACLForResource',
  ],
  'AWS::XRay::SamplingRule': [
    'xray:CreateSamplingRule,DeleteSamplingRule,GetSamplingRules,ListTagsForResource,TagResource,UntagResource,UpdateSamplingRule',
  ],
};
