// What the package offers to apps of others: the service, its parts, and the settings of a stage.

export { OUTPUTS } from '../core/contract/outputs.ts';
export { ServiceChecks } from './checks/service-checks.ts';
export { parseStage, type Stage, type StageSettings } from './config/config.ts';
export { defineStage } from './config/define-stage.ts';
export { functionEnvironment } from './constructs/compute/function-environment.ts';
export { ServiceFunction, type ServiceFunctionProps } from './constructs/compute/service-function.ts';
export { NeuronService, type NeuronServiceProps } from './constructs/neuron-service.ts';
export * from './parts.ts';
