// The stack of everything stateful: the tables, apart from what changes with every release.
import { CfnResource, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Stage } from '../config/config.ts';
import { importEncryptionKey } from '../constructs/data/encryption-key.ts';
import { TABLE_IDS, Tables } from '../constructs/data/tables.ts';

interface DataStackProps extends StackProps {
  readonly stage: Stage;
}

export class DataStack extends Stack {
  readonly tables: Tables;

  constructor(scope: Construct, id: string, { stage, ...props }: DataStackProps) {
    super(scope, id, {
      ...props,
      description: `Neuron Execution Service (${stage.name}): settings, keys, counters, cache, logs, usage`,
      terminationProtection: stage.protectData,
    });
    const encryptionKey = importEncryptionKey(this, stage);
    this.tables = new Tables(this, 'Tables', { stage, encryptionKey });
    this.#freezeLogicalIds();
  }

  /** A table with another logical id is another, empty table: the ids must not depend on the construct path. */
  #freezeLogicalIds(): void {
    for (const id of Object.values(TABLE_IDS)) {
      const table = this.tables.node.findChild(id).node.defaultChild;
      if (!CfnResource.isCfnResource(table)) throw new Error(`${id} no longer makes a resource of its own`);
      table.overrideLogicalId(id);
    }
  }
}
