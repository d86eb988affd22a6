// What is said at synth where a service has the wrong stage, or the wrong place.
import { type Environment, Stack } from 'aws-cdk-lib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { StageSettings } from '../../../lib/config/config.ts';
import { NeuronService, type NeuronServiceProps } from '../../../lib/constructs/neuron-service.ts';
import { defineStage } from '../../../lib/index.ts';
import { prod } from '../../../lib/stages/prod.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { plainApp, stubCode } from '../synthesized.ts';

const outdir = temporaryFolder();
const ACCOUNT = '111122223333';
const ENVIRONMENT = { account: ACCOUNT, region: 'eu-central-1' };

function create(settings: Partial<StageSettings>, env: Environment = ENVIRONMENT): NeuronService {
  const stage = defineStage({ name: 'own', ...settings });
  return new NeuronService(new Stack(plainApp(outdir), 'Own', { env }), 'Neurons', {
    stage,
    code: stubCode(),
  });
}

describe('NeuronService in the wrong place', () => {
  it('refuses a stage in another region than the CDK command deploys to', () => {
    vi.stubEnv('CDK_DEFAULT_REGION', 'us-east-1');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => create({ region: 'eu-central-1' }, {})).toThrow('its stack Own is in us-east-1');
    expect(() => create({ region: 'us-east-1' }, {})).not.toThrow();
    expect(() => create({ region: 'eu-central-1' })).not.toThrow();
  });

  it('refuses a stage that is missing, without a name, or not validated', () => {
    const createWith = (props: object) =>
      new NeuronService(new Stack(plainApp(outdir), 'Own'), 'Neurons', props as NeuronServiceProps);
    expect(() => createWith({})).toThrow(
      "The prop stage of NeuronService is missing. Pass stage: defineStage({ name: 'prod' }).",
    );
    expect(() => createWith({ stage: { ...prod, name: 'own' } })).toThrow(
      "has settings that were not validated. Pass stage: defineStage({ name: 'own' }).",
    );
    expect(() => defineStage({} as { name: string })).toThrow(
      'name: must be text such as dev; it is missing. Add it.',
    );
  });

  it('refuses a second service in its stack, and one of its stage in its environment', () => {
    const app = plainApp(outdir);
    const add = (stack: Stack, id: string, name: string) =>
      new NeuronService(stack, id, { stage: defineStage({ name }), code: stubCode() });
    const own = new Stack(app, 'Own', { env: ENVIRONMENT });
    add(own, 'Neurons', 'own');
    expect(() => add(own, 'More', 'other')).toThrow(
      'The stack Own has two services, Neurons and More. Put each into a stack of its own, with a stage of its own.',
    );
    expect(() => add(new Stack(app, 'Second', { env: ENVIRONMENT }), 'Neurons', 'own')).toThrow(
      `The stacks Own and Second both have a service of the stage own in aws://${ACCOUNT}/eu-central-1: they would share secrets and names. Change the name of one stage.`,
    );
    const elsewhere = { account: ACCOUNT, region: 'eu-west-1' };
    expect(() => add(new Stack(app, 'Elsewhere', { env: elsewhere }), 'Neurons', 'own')).not.toThrow();
    expect(() => add(new Stack(app, 'Third', { env: ENVIRONMENT }), 'Neurons', 'third')).not.toThrow();
  });
});
