// The stack of everything that must survive: the tables, apart from what changes with every release.
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Stage } from '../config.ts';
import { Tables } from '../constructs/tables.ts';

export interface DataStackProps extends StackProps {
  readonly stage: Stage;
}

/** A class, because CDK's tree is made of constructs. */
export class DataStack extends Stack {
  readonly tables: Tables;

  constructor(scope: Construct, id: string, { stage, ...props }: DataStackProps) {
    super(scope, id, {
      ...props,
      description: `Neuron Execution Service (${stage.name}): settings, keys, counters, cache, logs, usage`,
      terminationProtection: stage.protectData,
    });
    this.tables = new Tables(this, 'Tables', { stage });
  }
}
