// What the package offers to apps of others: the service, its parts, and the settings of a stage.

export { OUTPUTS } from '../core/contract/outputs.ts';
export { ServiceChecks } from './checks/service-checks.ts';
export { parseStage, type Stage, type StageSettings } from './config.ts';
export { functionEnvironment } from './constructs/function-environment.ts';
export { NeuronService, type NeuronServiceProps } from './constructs/neuron-service.ts';
export { ServiceFunction, type ServiceFunctionProps } from './constructs/service-function.ts';
export { defineStage } from './define-stage.ts';
export * from './parts.ts';
