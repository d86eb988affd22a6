// Alarms and dashboard of a service, as its stage settings ask for them.
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { ServiceDashboard } from './dashboard.ts';
import { type MetricKey, type MonitoredService, serviceMetric } from './monitored-service.ts';
import { Objectives } from './slo.ts';

export type { MetricKey } from './monitored-service.ts';

export interface MonitoringProps {
  readonly service: MonitoredService;
  /** Receives the alarms. @default the stage setting `alarms` */
  readonly alarmTopic?: ITopic | undefined;
}

export class Monitoring extends Construct {
  /** Absent where the stage has no setting `alarms`. */
  readonly alarms: Alarms | undefined;
  /** Absent where the stage has no setting `slo`. */
  readonly objectives: Objectives | undefined;
  /** Absent where the stage's setting `dashboard` is false. */
  readonly dashboard: ServiceDashboard | undefined;

  readonly #stage: MonitoredService['stage'];

  constructor(scope: Construct, id: string, { service, alarmTopic }: MonitoringProps) {
    super(scope, id);
    this.#stage = service.stage;
    const { alarms, dashboard } = service.stage;
    if (alarms !== undefined) this.alarms = new Alarms(this, 'Alarms', { service, alarmTopic });
    if (this.alarms !== undefined && service.stage.slo !== undefined)
      this.objectives = new Objectives(this, 'Objectives', { service, topic: this.alarms.topic });
    if (dashboard) this.dashboard = new ServiceDashboard(this, 'Dashboard', { service });
  }

  /** One of the service's own metrics, such as `costMicrodollars`; all are in `core/contract/metrics.ts`. */
  metric(key: MetricKey, options?: MetricOptions): Metric {
    return serviceMetric(this.#stage, key, options);
  }
}
