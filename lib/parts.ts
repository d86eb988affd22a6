// The parts of a service, for apps that put one together differently.
export { Alarms, type AlarmsProps } from './constructs/alarms.ts';
export { NeuronApi, type NeuronApiProps } from './constructs/api.ts';
export { Authorizer, type AuthorizerProps } from './constructs/authorizer.ts';
export { ServiceDashboard, type ServiceDashboardProps } from './constructs/dashboard.ts';
export { type ExistingDomain, ServiceDomain, type ServiceDomainProps } from './constructs/domain.ts';
export { Executor, type ExecutorProps } from './constructs/executor.ts';
export { Firewall, type FirewallProps } from './constructs/firewall.ts';
export { FrontDoor, type FrontDoorProps } from './constructs/front-door.ts';
export { Monitoring, type MonitoringProps } from './constructs/monitoring.ts';
export { Rollup, type RollupProps } from './constructs/rollup.ts';
export { Tables, type TablesByName, type TablesProps } from './constructs/tables.ts';
