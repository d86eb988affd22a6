// The stack of everything stateless: the service on the tables of the data stack, and the outputs that describe the deployment.
import { CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Stage } from '../config/config.ts';
import type { Tables } from '../constructs/data/tables.ts';
import { NeuronService } from '../constructs/neuron-service.ts';

interface ApiStackProps extends StackProps {
  readonly stage: Stage;
  readonly tables: Tables;
  /** Code of the functions instead of their bundles, for tests of everything else. */
  readonly code?: Code | undefined;
}

export class ApiStack extends Stack {
  readonly service: NeuronService;

  constructor(scope: Construct, id: string, { stage, tables, code, ...props }: ApiStackProps) {
    super(scope, id, {
      ...props,
      description: `Neuron Execution Service (${stage.name}): the API and its functions`,
      terminationProtection: stage.protectData,
    });
    // Exports, which CloudFormation does not remove while they are in use: no table can be removed while the functions use it.
    CrossStackReferences.of(this).consume(ReferenceStrength.STRONG);
    // The id `Default` is not part of logical ids, so the construct's resources are named as if they stood in the stack itself.
    this.service = new NeuronService(this, 'Default', { stage, tables: tables.byName, code });
  }
}
