// The parts of a service, for apps that put one together differently.

export { Authorizer, type AuthorizerProps } from './constructs/compute/authorizer.ts';
export { Executor, type ExecutorProps } from './constructs/compute/executor.ts';
export { Rollup, type RollupProps } from './constructs/compute/rollup.ts';
export { Tables, type TablesByName, type TablesProps } from './constructs/data/tables.ts';
export { NeuronApi, type NeuronApiProps } from './constructs/edge/api.ts';
export { type ExistingDomain, ServiceDomain, type ServiceDomainProps } from './constructs/edge/domain.ts';
export { Edge, type EdgeProps } from './constructs/edge/edge.ts';
export { Firewall, type FirewallProps } from './constructs/edge/firewall.ts';
export { Alarms, type AlarmsProps } from './constructs/observability/alarms.ts';
export { ServiceDashboard, type ServiceDashboardProps } from './constructs/observability/dashboard.ts';
export { Monitoring, type MonitoringProps } from './constructs/observability/monitoring.ts';
