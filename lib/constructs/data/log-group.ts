// How long logs are kept, and what becomes of data when its stack is deleted.
import { RemovalPolicy } from 'aws-cdk-lib';
import type { LogGroupProps, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Stage } from '../../config/config.ts';

export function removalPolicy({ protectData }: Pick<Stage, 'protectData'>): RemovalPolicy {
  return protectData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

export function logGroupProps(stage: Stage): LogGroupProps {
  return { retention: stage.logRetentionDays as RetentionDays, removalPolicy: removalPolicy(stage) };
}
