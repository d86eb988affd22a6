// The rules: each of one kind of resource, with what is wrong and what to do.
import type { Stage } from '../config/config.ts';

/** A resource of a template. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

/** A template, as far as the rules look. */
export interface Template {
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
}

interface Context {
  readonly template: Template;
  readonly stage: Stage;
}

/** One rule. */
export interface Rule {
  readonly name: string;
  readonly types: readonly string[];
  readonly says: string;
  readonly fix: string;
  isBroken(resource: TemplateResource, context: Context): boolean;
}

const FUNCTION = ['AWS::Lambda::Function'];
const TABLE = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'];

/** Policies that end at TLS 1.2 or later (apigateway-security-policies-list.html); `TLS_1_2` is the older name of one. */
const MODERN_TLS = /^(?:TLS_1_2$|SecurityPolicy_TLS1[23]_)/;

export const RULES: readonly Rule[] = [
  {
    name: 'IntegrationWithoutAuthorizer',
    types: ['AWS::ApiGateway::Method'],
    says: 'A method that reaches something is open to everybody.',
    fix: 'Give it authorizationType CUSTOM and the authorizer of the service, or answer with a MOCK integration.',
    isBroken({ Properties }) {
      const type = valueAt(Properties, 'Integration', 'Type');
      if (type === 'MOCK') return false;
      return (
        valueAt(Properties, 'AuthorizationType') !== 'CUSTOM' ||
        valueAt(Properties, 'AuthorizerId') === undefined
      );
    },
  },
  {
    name: 'AuthorizerWithMemory',
    types: ['AWS::ApiGateway::Authorizer'],
    says: 'API Gateway would use the decision on one request for others.',
    fix: 'Set resultsCacheTtl to 0.',
    isBroken: ({ Properties }) => valueAt(Properties, 'AuthorizerResultTtlInSeconds') !== 0,
  },
  {
    name: 'FunctionWithoutTimeout',
    types: FUNCTION,
    says: 'The function has no timeout of its own.',
    fix: 'Set timeout.',
    isBroken: ({ Properties }) => typeof valueAt(Properties, 'Timeout') !== 'number',
  },
  {
    name: 'FunctionWithoutRetention',
    types: FUNCTION,
    says: 'The log of the function is kept forever, or by nobody knows whom.',
    fix: 'Give it a log group of the stack with a retention.',
    isBroken({ Properties }, { template }) {
      const group = valueAt(Properties, 'LoggingConfig', 'LogGroup', 'Ref');
      const logGroup = typeof group === 'string' ? template.Resources?.[group] : undefined;
      return typeof valueAt(logGroup?.Properties, 'RetentionInDays') !== 'number';
    },
  },
  {
    name: 'FunctionWithoutWall',
    types: FUNCTION,
    says: 'The function can take the concurrency of everything else in the account.',
    fix: 'Set the stage setting reservedConcurrency.',
    isBroken: ({ Properties }) => typeof valueAt(Properties, 'ReservedConcurrentExecutions') !== 'number',
  },
  {
    name: 'TableWithoutRecovery',
    types: TABLE,
    says: 'In a stage that protects its data, the table can be lost: no backups, no protection from deletion, or none kept.',
    fix: 'Turn on point-in-time recovery and deletion protection, and retain it.',
    isBroken: (table, { stage }) => stage.protectData && !isRecoverable(table),
  },
  {
    name: 'TableWithoutKey',
    types: TABLE,
    // DynamoDB encrypts every table; whose key it is, is what can be wrong (EncryptionAtRest.html).
    says: "The stage names a key, and the table is encrypted with DynamoDB's own.",
    fix: 'Hand encryptionKey to the table.',
    isBroken: ({ Properties }, { stage }) =>
      stage.encryptionKeyArn !== undefined && valueAt(Properties, 'SSESpecification', 'SSEType') !== 'KMS',
  },
  {
    name: 'OldTls',
    types: ['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::DomainName'],
    says: 'Callers can connect with TLS below 1.2.',
    fix: 'Set securityPolicy to TLS_1_2 or one of the SecurityPolicy_TLS13 policies.',
    isBroken: ({ Properties }) => !MODERN_TLS.test(String(valueAt(Properties, 'SecurityPolicy'))),
  },
];

function isRecoverable({ Properties, DeletionPolicy }: TemplateResource): boolean {
  const replicas = valueAt(Properties, 'Replicas');
  const copies = Array.isArray(replicas) ? (replicas as Record<string, unknown>[]) : [Properties];
  return (
    /^Retain/.test(DeletionPolicy ?? '') &&
    copies.every(
      (copy) =>
        valueAt(copy, 'DeletionProtectionEnabled') === true &&
        valueAt(copy, 'PointInTimeRecoverySpecification', 'PointInTimeRecoveryEnabled') === true,
    )
  );
}

function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}
