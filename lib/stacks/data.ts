// The stack of everything that must survive: the tables, apart from what changes with every release.
import { CfnResource, Stack, type StackProps } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../config/config.ts';
import { TABLE_IDS, Tables } from '../constructs/data/tables.ts';

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
    const encryptionKey =
      stage.encryptionKeyArn === undefined
        ? undefined
        : Key.fromKeyArn(this, 'EncryptionKey', stage.encryptionKeyArn);
    this.tables = new Tables(this, 'Tables', { stage, encryptionKey });
    this.#freezeLogicalIds();
  }

  /** Another id means another table, and the data stays behind in the old one: the ids depend on no path. */
  #freezeLogicalIds(): void {
    for (const id of Object.values(TABLE_IDS)) {
      const table = this.tables.node.findChild(id).node.defaultChild;
      if (!CfnResource.isCfnResource(table)) throw new Error(`${id} is made of no resource of its own`);
      table.overrideLogicalId(id);
    }
  }
}
