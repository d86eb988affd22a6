// The package's exports: the service as one construct, its parts for apps that compose them differently, and stage settings.
import { validateNeurons } from './checks/neurons.ts';
import { parseStage, type Stage, type StageSettings } from './config/config.ts';
import { prod } from './stages/prod.ts';

export { OUTPUTS } from '../core/contract/outputs.ts';
export { ServiceChecks } from './checks/service-checks.ts';
export { parseStage, type Stage, type StageSettings } from './config/config.ts';
export { Authorizer, type AuthorizerProps } from './constructs/compute/authorizer.ts';
export { Executor, type ExecutorProps } from './constructs/compute/executor.ts';
export { functionEnvironment } from './constructs/compute/function-environment.ts';
export { Rollup, type RollupProps } from './constructs/compute/rollup.ts';
export { ServiceFunction, type ServiceFunctionProps } from './constructs/compute/service-function.ts';
export type { OrganizationScope } from './constructs/data/grant-roles.ts';
export { Tables, type TablesByName, type TablesProps } from './constructs/data/tables.ts';
export { NeuronApi, type NeuronApiProps } from './constructs/edge/api.ts';
export { type ExistingDomain, ServiceDomain, type ServiceDomainProps } from './constructs/edge/domain.ts';
export { Edge, type EdgeProps } from './constructs/edge/edge.ts';
export { Firewall, type FirewallProps } from './constructs/edge/firewall.ts';
export { NeuronService, type NeuronServiceProps } from './constructs/neuron-service.ts';
export { Alarms, type AlarmsProps } from './constructs/observability/alarms.ts';
export { ServiceDashboard, type ServiceDashboardProps } from './constructs/observability/dashboard.ts';
export { Monitoring, type MonitoringProps } from './constructs/observability/monitoring.ts';

/**
 * Validates the stage settings of an app; omitted settings are those of production. Throws one error with every
 * diagnostic about the settings, or about the settings files that they name.
 */
export function defineStage(settings: Partial<StageSettings> & Pick<StageSettings, 'name'>): Stage {
  // The name is never that of production, whose secrets a service of that name would share.
  const stage = parseStage({ ...prod, ...settings, name: settings.name });
  validateNeurons(stage, process.cwd());
  return stage;
}
