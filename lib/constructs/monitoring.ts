// Alarms and dashboard of a service, as its stage wants them.
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { ServiceDashboard } from './dashboard.ts';
import type { Watched } from './watched.ts';

export interface MonitoringProps {
  readonly service: Watched;
  /** Where alarms are told. @default the stage setting `alarms` */
  readonly alarmTopic?: ITopic | undefined;
}

/** A class, because CDK's tree is made of constructs. */
export class Monitoring extends Construct {
  /** Absent where the stage has no setting `alarms`. */
  readonly alarms: Alarms | undefined;
  /** Absent where the stage's setting `dashboard` is false. */
  readonly dashboard: ServiceDashboard | undefined;

  constructor(scope: Construct, id: string, { service, alarmTopic }: MonitoringProps) {
    super(scope, id);
    const { alarms, dashboard } = service.stage;
    if (alarms !== undefined) this.alarms = new Alarms(this, 'Alarms', { service, alarmTopic });
    if (dashboard) this.dashboard = new ServiceDashboard(this, 'Dashboard', { service });
  }
}
