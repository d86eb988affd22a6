// The outputs of the API stack, by which the `neuron` command finds everything else of a deployment.

/** Output ids. They are a contract with the command and never change. */
export const OUTPUTS = {
  apiUrl: 'ApiUrl',
  stageName: 'StageName',
  configTable: 'ConfigTable',
  keysTable: 'KeysTable',
  countersTable: 'CountersTable',
  cacheTable: 'CacheTable',
  logsTable: 'LogsTable',
  usageTable: 'UsageTable',
  logShards: 'LogShards',
  secretPrefix: 'SecretPrefix',
  transferMode: 'TransferMode',
  maxDeadlineMs: 'MaxDeadlineMs',
  settingsTtlMs: 'SettingsTtlMs',
  secretsTtlMs: 'SecretsTtlMs',
  bedrockModels: 'BedrockModels',
  providerHosts: 'ProviderHosts',
  counterShards: 'CounterShards',
  organizationConcurrency: 'OrganizationConcurrency',
  authorizerLogGroup: 'AuthorizerLogGroup',
  executeLogGroup: 'ExecuteLogGroup',
} as const;

/** Outputs of some stages only. A stack without them is whole. */
export const OPTIONAL_OUTPUTS = {
  /** The stage's KMS key, with which the command encrypts the secrets that it makes. */
  encryptionKeyArn: 'EncryptionKeyArn',
} as const;

/** Outputs that stacks of release 1.0.0 do not have, with what such a stack does. */
export const OUTPUT_DEFAULTS = { [OUTPUTS.providerHosts]: 'null' } as const;

/** ARNs of managed policies by role (docs/rights.md), where the stage makes them. The command does not read them. */
export const POLICY_OUTPUTS = {
  operator: 'OperatorPolicy',
  auditor: 'AuditorPolicy',
  viewer: 'ViewerPolicy',
  /** For every organization. Those for some are `AuthorPolicyNAME`. */
  author: 'AuthorPolicy',
  keys: 'KeysPolicy',
  restore: 'RestorePolicy',
  export: 'ExportPolicy',
  erase: 'ErasePolicy',
} as const;

export type PolicyRole = keyof typeof POLICY_OUTPUTS;

export type OutputValues = Readonly<
  Record<keyof typeof OUTPUTS, string> & Partial<Record<keyof typeof OPTIONAL_OUTPUTS, string>>
>;
