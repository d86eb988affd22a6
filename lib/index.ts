// What the package offers to apps of others: the service, its parts, and the settings of a stage.
export { parseStage, type Stage, type StageSettings } from './config.ts';
export { NeuronApi, type NeuronApiProps } from './constructs/api.ts';
export { Authorizer, type AuthorizerProps } from './constructs/authorizer.ts';
export { type ExistingDomain, ServiceDomain, type ServiceDomainProps } from './constructs/domain.ts';
export { Executor, type ExecutorProps } from './constructs/executor.ts';
export { Firewall, type FirewallProps } from './constructs/firewall.ts';
export { functionEnvironment } from './constructs/function-environment.ts';
export { NeuronService, type NeuronServiceProps } from './constructs/neuron-service.ts';
export { ServiceFunction, type ServiceFunctionProps } from './constructs/service-function.ts';
export { Tables, type TablesByName, type TablesProps } from './constructs/tables.ts';
export { OUTPUTS } from './outputs.ts';
export { defineStage } from './stages/define.ts';
