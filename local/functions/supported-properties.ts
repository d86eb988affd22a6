// Which properties of Lambda's types the local run acts on, and which it may pass over. All others are an error at start.

/** The properties of one resource type; dotted names are members of a property. */
export interface PropertyLists {
  readonly honoured: readonly string[];
  /** Property and why it does nothing on one machine. */
  readonly withoutEffect: Readonly<Record<string, string>>;
}

const NO_IAM = 'no permission is checked on one machine';
const LABEL = 'a label';

/** By resource type. */
export const FUNCTION_PROPERTIES: Readonly<Record<string, PropertyLists>> = {
  'AWS::Lambda::Function': {
    honoured: [
      'Code',
      'Environment',
      'FunctionName',
      'Handler',
      'LoggingConfig',
      'MemorySize',
      'PackageType',
      'ReservedConcurrentExecutions',
      'Runtime',
      'Timeout',
    ],
    withoutEffect: {
      Architectures: 'the processor is that of the machine',
      Description: LABEL,
      Role: NO_IAM,
      RuntimeManagementConfig: "the runtime is the machine's Node.js",
      Tags: LABEL,
      TracingConfig: 'there is no X-Ray',
    },
  },
  'AWS::Lambda::Version': {
    honoured: ['FunctionName'],
    withoutEffect: {
      CodeSha256: 'there is one version of the code',
      Description: LABEL,
      ProvisionedConcurrencyConfig: 'environments start on demand',
      RuntimePolicy: "the runtime is the machine's Node.js",
    },
  },
  'AWS::Lambda::Alias': {
    honoured: ['FunctionName', 'FunctionVersion', 'Name'],
    withoutEffect: {
      Description: LABEL,
      ProvisionedConcurrencyConfig: 'environments start on demand',
    },
  },
};
