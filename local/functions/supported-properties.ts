// The supported and the ignored properties of Lambda's types. All others are an error at start.

/** The properties of one resource type. Dotted names are members of a property. */
export interface PropertyLists {
  readonly supported: readonly string[];
  /** By property: why it has no effect on one machine. */
  readonly ignored: Readonly<Record<string, string>>;
}

const NO_IAM = 'no permission is checked on one machine';
const LABEL = 'a label';

/** By resource type. */
export const FUNCTION_PROPERTIES: Readonly<Record<string, PropertyLists>> = {
  'AWS::Lambda::Function': {
    supported: [
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
    ignored: {
      Architectures: 'the processor is that of the machine',
      Description: LABEL,
      Role: NO_IAM,
      RuntimeManagementConfig: "the runtime is the machine's Node.js",
      Tags: LABEL,
      TracingConfig: 'there is no X-Ray',
    },
  },
  'AWS::Lambda::Version': {
    supported: ['FunctionName'],
    ignored: {
      CodeSha256: 'there is one version of the code',
      Description: LABEL,
      ProvisionedConcurrencyConfig: 'environments start on demand',
      RuntimePolicy: "the runtime is the machine's Node.js",
    },
  },
  'AWS::Lambda::Alias': {
    supported: ['FunctionName', 'FunctionVersion', 'Name'],
    ignored: {
      Description: LABEL,
      ProvisionedConcurrencyConfig: 'environments start on demand',
    },
  },
};
