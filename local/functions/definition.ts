// Reads AWS::Lambda::Function resources with their versions and aliases.

import { resolve } from 'node:path';
import type { ResolvedResource, ResolvedStack } from '../template/types.ts';
import { asNumber, asObject, asText, asTexts, requiredProperty, templateError } from '../template/values.ts';

/** A function; all defaults are Lambda's. */
export interface FunctionDefinition {
  readonly name: string;
  /** Unqualified. */
  readonly arn: string;
  readonly accountId: string;
  readonly region: string;
  /** The unpacked asset. */
  readonly codeFolder: string;
  readonly handler: string;
  readonly runtime: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Exactly the template's variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Max. runs at once; undefined: no limit of its own. */
  readonly reservedConcurrency: number | undefined;
  /** Max. runs at once in one process: 1 but on Lambda Managed Instances. */
  readonly runsAtOnce: number;
  readonly logGroup: string;
  readonly logFormat: 'Text' | 'JSON';
  /** Number of the published version, or `$LATEST` if the template has none. */
  readonly version: string;
  /** Aliases and versions that callers may name. */
  readonly qualifiers: ReadonlySet<string>;
}

// Lambda Developer Guide, "Defined runtime environment variables": a deployment that sets one of these fails.
const RESERVED_VARIABLES = new Set([
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_DEFAULT_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_LAMBDA_RUNTIME_API',
  'AWS_REGION',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'LAMBDA_RUNTIME_DIR',
  'LAMBDA_TASK_ROOT',
]);

/**
 * All functions of the stacks.
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` for a function that is not supported
 */
export function readFunctions(stacks: readonly ResolvedStack[]): readonly FunctionDefinition[] {
  return stacks.flatMap((stack) =>
    stack.resources
      .filter((resource) => resource.type === 'AWS::Lambda::Function')
      .map((resource) => readFunction(stack, resource, stacks)),
  );
}

function readFunction(
  stack: ResolvedStack,
  resource: ResolvedResource,
  stacks: readonly ResolvedStack[],
): FunctionDefinition {
  const { properties } = resource;
  const { arn, accountId, region } = readArn(resource);
  if ((asText(properties['PackageType']) ?? 'Zip') !== 'Zip')
    throw templateError(resource, 'container images are not supported.');
  const runtime = requiredProperty(resource, 'Runtime');
  if (!runtime.startsWith('nodejs')) {
    throw templateError(resource, `Runtime ${runtime} is not supported; only Node.js is.`);
  }
  const name = resource.physicalId;
  const logging = asObject(properties['LoggingConfig']);
  const published = readPublished(name, arn, stacks);
  return {
    name,
    arn,
    accountId,
    region,
    codeFolder: resolve(stack.folder, String(resource.metadata['aws:asset:path'])),
    handler: requiredProperty(resource, 'Handler'),
    runtime,
    memoryMb: asNumber(properties['MemorySize']) ?? 128,
    timeoutSeconds: asNumber(properties['Timeout']) ?? 3,
    variables: readVariables(resource),
    reservedConcurrency: asNumber(properties['ReservedConcurrentExecutions']),
    runsAtOnce: readRunsAtOnce(resource),
    logGroup: asText(logging['LogGroup']) ?? `/aws/lambda/${name}`,
    logFormat: asText(logging['LogFormat']) === 'JSON' ? 'JSON' : 'Text',
    ...published,
  };
}

function readArn(resource: ResolvedResource): { arn: string; accountId: string; region: string } {
  const arn = resource.arn ?? '';
  const parts = arn.split(':');
  if (parts.length < 7 || parts[2] !== 'lambda')
    throw templateError(resource, `"${arn}" is no function ARN.`);
  return { arn, region: parts[3] ?? '', accountId: parts[4] ?? '' };
}

function readVariables(resource: ResolvedResource): Readonly<Record<string, string>> {
  const variables = asTexts(asObject(resource.properties['Environment'])['Variables']);
  const reserved = Object.keys(variables).filter((name) => RESERVED_VARIABLES.has(name));
  if (reserved.length > 0)
    throw templateError(resource, `Lambda reserves the variables ${reserved.join(', ')}.`);
  return variables;
}

/** The default of Lambda for Node.js: 64 for each vCPU, of which there is one at least. */
const DEFAULT_RUNS_AT_ONCE = 64;

// CloudFormation, AWS::Lambda::Function CapacityProviderConfig: a function without a capacity provider runs one invocation at a time.
function readRunsAtOnce({ properties }: ResolvedResource): number {
  const config = asObject(properties['CapacityProviderConfig'])[
    'LambdaManagedInstancesCapacityProviderConfig'
  ];
  if (config === undefined) return 1;
  return asNumber(asObject(config)['PerExecutionEnvironmentMaxConcurrency']) ?? DEFAULT_RUNS_AT_ONCE;
}

function readPublished(
  name: string,
  arn: string,
  stacks: readonly ResolvedStack[],
): { version: string; qualifiers: ReadonlySet<string> } {
  const qualifiers = new Set(['$LATEST']);
  let version = '$LATEST';
  for (const resource of stacks.flatMap((stack) => stack.resources)) {
    const target = asText(resource.properties['FunctionName']);
    if (target !== name && target !== arn) continue;
    if (resource.type === 'AWS::Lambda::Version') {
      version = /:(\d+)$/.exec(resource.arn ?? resource.physicalId)?.[1] ?? '1';
      qualifiers.add(version);
    } else if (resource.type === 'AWS::Lambda::Alias') {
      qualifiers.add(requiredProperty(resource, 'Name'));
    }
  }
  return { version, qualifiers };
}
