// The dashboard: requests, latency, cost, and how near the service is to a limit.
import { Stack } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricKey } from '../../../core/contract/metrics.ts';
import { type MonitoredService, serviceMetric } from './monitored-service.ts';

const HALF = { width: 12, height: 6 };

export interface ServiceDashboardProps {
  readonly service: MonitoredService;
}

export class ServiceDashboard extends Construct {
  readonly dashboard: Dashboard;

  constructor(scope: Construct, id: string, { service }: ServiceDashboardProps) {
    super(scope, id);
    // Dashboards are shared by all regions of an account, stacks are not, and a stack has one service.
    const { stackName, region } = Stack.of(this);
    const dashboardName = `${stackName}-${region}`;
    this.dashboard = new Dashboard(this, 'Dashboard', { dashboardName });
    this.dashboard.addWidgets(...ownWidgets(service), ...partWidgets(service));
  }
}

function graph(title: string, left: IMetric[], right: IMetric[] = []): GraphWidget {
  return new GraphWidget({ ...HALF, title, left, ...(right.length === 0 ? {} : { right }) });
}

function ownWidgets({ stage }: MonitoredService): GraphWidget[] {
  const own = (...keys: MetricKey[]) => keys.map((key) => serviceMetric(stage, key));
  const at = (key: MetricKey, percentile: number) =>
    serviceMetric(stage, key, { statistic: Stats.percentile(percentile), label: `${key} p${percentile}` });
  return [
    graph('Requests by outcome', own('succeeded', 'stopped', 'failed', 'refused')),
    graph(
      'Latency, ms',
      [at('latency', 50), at('latency', 99)],
      [at('ownLatency', 50), at('ownLatency', 99)],
    ),
    graph('Cache', own('cacheHits', 'cacheMisses', 'cacheFailures')),
    graph('Tokens', own('tokensInput', 'tokensOutput')),
    graph('Cost and savings, microdollars', own('costMicrodollars', 'savingsMicrodollars')),
    graph('Limits', own('limitRefusals', 'reservationExceeded', 'countersUnavailable')),
    graph('Guards', own('guardBlocked', 'guardUnavailable')),
    graph('Faults', own('authorizerFaults', 'providerErrors', 'logLosses', 'unknownNeurons')),
  ];
}

function partWidgets({ api, authorizer, executor, rollup, tables }: MonitoredService): GraphWidget[] {
  const counted = { statistic: Stats.SUM };
  const functions = [
    ['authorizer', authorizer.service],
    ['execution', executor.service],
  ] as const;
  return [
    graph(
      'API Gateway',
      [api.metricRequests(counted), api.metricClientErrors(counted), api.metricServerErrors(counted)],
      [api.metricLatency({ statistic: Stats.percentile(99), label: 'latency p99, ms' })],
    ),
    graph(
      'Functions',
      functions.map(([name, service]) => service.metricThrottles({ ...counted, label: `${name} throttles` })),
      functions.map(([name, service]) =>
        service.metricDuration({ statistic: Stats.percentile(99), label: `${name} p99, ms` }),
      ),
    ),
    graph(
      'Usage',
      [rollup.service.metricErrors({ ...counted, label: 'rollup errors' })],
      [rollup.metricLateness({ label: 'lateness, ms' })],
    ),
    graph(
      'Tables: capacity written',
      Object.entries(tables.byName).map(([name, table]) =>
        table.metric('ConsumedWriteCapacityUnits', { ...counted, label: name }),
      ),
    ),
  ];
}
