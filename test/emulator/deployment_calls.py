# The calls of AWS that making, changing and removing a resource takes, by type and property. Written from the API references of the services, not
# from the resource schemas that docs/deploy-actions.json is made from: the emulator asks IAM for these calls before it makes a resource.

# For create, update and delete: "service:Call,Call …".
CALLS = {
    "AWS::ApiGateway::Account": ("apigateway:PATCH", "apigateway:PATCH", ""),
    "AWS::ApiGateway::Authorizer": ("apigateway:POST", "apigateway:PATCH", "apigateway:DELETE"),
    "AWS::ApiGateway::Deployment": ("apigateway:POST", "apigateway:PATCH", "apigateway:DELETE"),
    "AWS::ApiGateway::GatewayResponse": ("apigateway:PUT", "apigateway:PUT", "apigateway:DELETE"),
    "AWS::ApiGateway::Method": ("apigateway:PUT", "apigateway:PUT", "apigateway:DELETE"),
    "AWS::ApiGateway::Resource": ("apigateway:POST", "apigateway:PATCH", "apigateway:DELETE"),
    "AWS::ApiGateway::RestApi": ("apigateway:POST,GET", "apigateway:PATCH,GET", "apigateway:DELETE"),
    "AWS::ApiGateway::Stage": ("apigateway:POST", "apigateway:PATCH", "apigateway:DELETE"),
    "AWS::CloudWatch::Alarm": ("cloudwatch:PutMetricAlarm", "cloudwatch:PutMetricAlarm", "cloudwatch:DeleteAlarms"),
    "AWS::CloudWatch::CompositeAlarm": ("cloudwatch:PutCompositeAlarm", "cloudwatch:PutCompositeAlarm", "cloudwatch:DeleteAlarms"),
    "AWS::CloudWatch::Dashboard": ("cloudwatch:PutDashboard", "cloudwatch:PutDashboard", "cloudwatch:DeleteDashboards"),
    "AWS::DynamoDB::GlobalTable": (
        "dynamodb:CreateTable,DescribeTable",
        "dynamodb:UpdateTable,DescribeTable",
        "dynamodb:DeleteTable,DescribeTable",
    ),
    "AWS::Events::Rule": ("events:PutRule,PutTargets", "events:PutRule,PutTargets", "events:RemoveTargets,DeleteRule"),
    "AWS::IAM::ManagedPolicy": (
        "iam:CreatePolicy,GetPolicy",
        "iam:CreatePolicyVersion,ListPolicyVersions,DeletePolicyVersion",
        "iam:ListPolicyVersions,DeletePolicyVersion,DeletePolicy",
    ),
    "AWS::IAM::Policy": ("iam:PutRolePolicy", "iam:PutRolePolicy", "iam:DeleteRolePolicy"),
    "AWS::IAM::Role": ("iam:CreateRole,GetRole", "iam:UpdateRole,UpdateAssumeRolePolicy", "iam:DeleteRole"),
    "AWS::Lambda::Alias": ("lambda:CreateAlias", "lambda:UpdateAlias", "lambda:DeleteAlias"),
    "AWS::Lambda::EventInvokeConfig": (
        "lambda:PutFunctionEventInvokeConfig",
        "lambda:PutFunctionEventInvokeConfig",
        "lambda:DeleteFunctionEventInvokeConfig",
    ),
    "AWS::Lambda::EventSourceMapping": (
        "lambda:CreateEventSourceMapping,GetEventSourceMapping",
        "lambda:UpdateEventSourceMapping,GetEventSourceMapping",
        "lambda:DeleteEventSourceMapping,GetEventSourceMapping",
    ),
    "AWS::Lambda::Function": (
        "lambda:CreateFunction,GetFunction s3:GetObject",
        "lambda:UpdateFunctionConfiguration,GetFunction",
        "lambda:DeleteFunction",
    ),
    "AWS::Lambda::Permission": ("lambda:AddPermission", "lambda:RemovePermission,AddPermission", "lambda:RemovePermission"),
    "AWS::Lambda::Version": ("lambda:PublishVersion", "lambda:PublishVersion", "lambda:DeleteFunction"),
    "AWS::Logs::LogGroup": ("logs:CreateLogGroup,DescribeLogGroups", "logs:DescribeLogGroups", "logs:DeleteLogGroup"),
    "AWS::Logs::MetricFilter": ("logs:PutMetricFilter", "logs:PutMetricFilter", "logs:DeleteMetricFilter"),
    "AWS::S3::Bucket": ("s3:CreateBucket", "", "s3:DeleteBucket"),
    "AWS::S3::BucketPolicy": ("s3:PutBucketPolicy", "s3:PutBucketPolicy", "s3:DeleteBucketPolicy"),
    "AWS::SNS::Subscription": ("sns:Subscribe", "sns:SetSubscriptionAttributes", "sns:Unsubscribe"),
    "AWS::SNS::Topic": ("sns:CreateTopic,GetTopicAttributes", "sns:SetTopicAttributes", "sns:DeleteTopic"),
    "AWS::SNS::TopicPolicy": ("sns:SetTopicAttributes", "sns:SetTopicAttributes", "sns:SetTopicAttributes"),
    "AWS::WAFv2::WebACL": ("wafv2:CreateWebACL,GetWebACL", "wafv2:UpdateWebACL,GetWebACL", "wafv2:DeleteWebACL,GetWebACL"),
    "AWS::WAFv2::WebACLAssociation": (
        "wafv2:AssociateWebACL apigateway:SetWebACL",
        "wafv2:AssociateWebACL apigateway:SetWebACL",
        "wafv2:DisassociateWebACL apigateway:SetWebACL",
    ),
    # Nothing of AWS is called for these.
    "AWS::CDK::Metadata": ("", "", ""),
    "AWS::CloudFormation::WaitCondition": ("", "", ""),
    "AWS::CloudFormation::WaitConditionHandle": ("", "", ""),
}

# Beside the calls of the type, where the property is set first or changed.
OF_PROPERTIES = {
    ("AWS::DynamoDB::GlobalTable", "TimeToLiveSpecification"): "dynamodb:UpdateTimeToLive",
    ("AWS::DynamoDB::GlobalTable", "Replicas.PointInTimeRecoverySpecification"): "dynamodb:UpdateContinuousBackups",
    ("AWS::DynamoDB::GlobalTable", "Replicas.Tags"): "dynamodb:TagResource",
    ("AWS::IAM::Role", "ManagedPolicyArns"): "iam:AttachRolePolicy",
    ("AWS::IAM::Role", "Tags"): "iam:TagRole",
    ("AWS::Lambda::Function", "Code"): "lambda:UpdateFunctionCode s3:GetObject",
    ("AWS::Lambda::Function", "ReservedConcurrentExecutions"): "lambda:PutFunctionConcurrency",
    ("AWS::Lambda::Function", "Tags"): "lambda:TagResource",
    ("AWS::Lambda::Alias", "ProvisionedConcurrencyConfig"): "lambda:PutProvisionedConcurrencyConfig",
    ("AWS::Lambda::EventSourceMapping", "Tags"): "lambda:TagResource",
    ("AWS::Logs::LogGroup", "RetentionInDays"): "logs:PutRetentionPolicy",
    ("AWS::Logs::LogGroup", "Tags"): "logs:TagResource",
    ("AWS::CloudWatch::Alarm", "Tags"): "cloudwatch:TagResource",
    ("AWS::Events::Rule", "Tags"): "events:TagResource",
    ("AWS::S3::Bucket", "BucketEncryption"): "s3:PutEncryptionConfiguration",
    ("AWS::S3::Bucket", "LifecycleConfiguration"): "s3:PutLifecycleConfiguration",
    ("AWS::S3::Bucket", "PublicAccessBlockConfiguration"): "s3:PutBucketPublicAccessBlock",
    ("AWS::S3::Bucket", "Tags"): "s3:PutBucketTagging",
    ("AWS::SNS::Topic", "Tags"): "sns:TagResource",
    ("AWS::WAFv2::WebACL", "Tags"): "wafv2:TagResource",
}

# Taken back before the resource is removed.
BEFORE_REMOVAL = {("AWS::IAM::Role", "ManagedPolicyArns"): "iam:DetachRolePolicy"}

# Properties with the ARN of a role, which goes to a service: `iam:PassRole`.
PASSED = {
    ("AWS::ApiGateway::Account", "CloudWatchRoleArn"): "apigateway.amazonaws.com",
    ("AWS::ApiGateway::Authorizer", "AuthorizerCredentials"): "apigateway.amazonaws.com",
    ("AWS::ApiGateway::Method", "Integration.Credentials"): "apigateway.amazonaws.com",
    ("AWS::CodeDeploy::DeploymentGroup", "ServiceRoleArn"): "codedeploy.amazonaws.com",
    ("AWS::Events::Rule", "Targets.RoleArn"): "events.amazonaws.com",
    ("AWS::Lambda::Function", "Role"): "lambda.amazonaws.com",
}


def values_at(props, path):
    """Values of a dotted path, through lists."""
    found = [props]
    for name in path.split("."):
        members = [one for value in found for one in (value if isinstance(value, list) else [value])]
        found = [one[name] for one in members if isinstance(one, dict) and name in one]
    return found


def actions_of(text):
    for part in text.split():
        service, names = part.split(":")
        yield from (f"{service}:{name}" for name in names.split(","))


def calls_for(kind, resource_type, before, after):
    """(action, service that a role is passed to) of making (0), changing (1) or removing (2) a resource."""
    if resource_type not in CALLS:
        raise ValueError(f"deployment_calls.py has no calls for {resource_type}")
    for action in actions_of(CALLS[resource_type][kind]):
        yield action, None
    for (of_type, path), text in (BEFORE_REMOVAL if kind == 2 else OF_PROPERTIES).items():
        if of_type == resource_type and values_at(after, path) != values_at(before, path):
            yield from ((action, None) for action in actions_of(text))
    for (of_type, path), service in PASSED.items():
        if of_type == resource_type and kind != 2 and values_at(after, path) != values_at(before, path):
            yield "iam:PassRole", service
