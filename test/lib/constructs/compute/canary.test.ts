// The stage setting `canary`: new versions take over step by step, and go back when answers fail.
import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesize, type Template } from '../../synthesized.ts';

const { api } = synthesize('dev', { canary: '10PERCENT_15MINUTES' });
const text = (value: unknown) => JSON.stringify(value);
const propertiesOf = (template: Template, type: string) =>
  resourcesOf(template, type).map(([, { Properties }]) => Properties);

describe('a stage with a canary', () => {
  it('has an alias of authorizer and execution, which API Gateway invokes, and none of the rollup', () => {
    const aliases = resourcesOf(api, 'AWS::Lambda::Alias');
    expect(aliases.map(([id]) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual([
      'AuthorizerServiceLive',
      'ExecutorServiceLive',
    ]);
    const [authorizer, executor] = aliases.map(([id]) => id);
    expect(text(propertiesOf(api, 'AWS::ApiGateway::Authorizer'))).toContain(authorizer);
    expect(text(propertiesOf(api, 'AWS::ApiGateway::Method'))).toContain(executor);
  });

  it('has CodeDeploy shift each alias, and roll back on failure and alarm', () => {
    const groups = propertiesOf(api, 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(2);
    for (const group of groups) {
      expect(text(group)).toContain('CodeDeployDefault.LambdaCanary10Percent15Minutes');
      expect(group).toMatchObject({
        AlarmConfiguration: { Enabled: true, Alarms: [{ Name: { Ref: expect.any(String) } }] },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      });
    }
    const policies = Object.values(api.Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Alias')
      .map((alias) => (alias as { readonly UpdatePolicy?: object }).UpdatePolicy);
    expect(policies).toEqual([
      { CodeDeployLambdaAliasUpdate: expect.any(Object) },
      { CodeDeployLambdaAliasUpdate: expect.any(Object) },
    ]);
  });

  it("alarms on the API's own metric of 5xx, by names that refer to nothing", () => {
    const name = propertiesOf(api, 'AWS::ApiGateway::RestApi')[0]?.['Name'];
    for (const alarm of propertiesOf(api, 'AWS::CloudWatch::Alarm')) {
      expect(alarm).toMatchObject({
        Namespace: 'AWS/ApiGateway',
        MetricName: '5XXError',
        Statistic: 'Average',
        Period: 60,
        Threshold: 0.05,
        TreatMissingData: 'notBreaching',
        Dimensions: [
          { Name: 'ApiName', Value: name },
          { Name: 'Stage', Value: 'dev' },
        ],
      });
    }
    expect(propertiesOf(api, 'AWS::CloudWatch::Alarm')).toHaveLength(2);
  });
});

describe('a stage without a canary', () => {
  it('has neither aliases nor CodeDeploy', () => {
    const plain = synthesize('prod').api;
    expect(Object.values(plain.Resources).map(({ Type }) => Type)).not.toContain('AWS::Lambda::Alias');
    expect(text(plain)).not.toContain('CodeDeploy');
  });
});
