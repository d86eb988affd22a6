// API Gateway serves the last deployment: a change that makes no new one is never seen by a caller.
import { App, type IPropertyInjector, PropertyInjectors } from 'aws-cdk-lib';
import { CfnDeployment, GatewayResponse, Method, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, it } from 'vitest';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { parseStage } from '../../../lib/config/config.ts';
import { ApiStack } from '../../../lib/stacks/api.ts';
import { DataStack } from '../../../lib/stacks/data.ts';
import { dev } from '../../../lib/stages/dev.ts';
import { someOf } from '../../support/every-case.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stubCode } from '../synthesized.ts';

// Nothing is written there but what CDK makes without being asked.
const outdir = temporaryFolder();

type Props = Readonly<Record<string, unknown>>;

/** Changes the properties of one construct, found by the end of its path, before it is made. */
function change(
  constructUniqueId: string,
  path: string,
  changed: (props: Props) => Props,
): IPropertyInjector {
  return {
    constructUniqueId,
    inject: (props, { scope, id }) => (`${scope.node.path}/${id}`.endsWith(path) ? changed(props) : props),
  };
}

/** The stack and the logical id of its deployment, after a change to one construct. */
function build(injector?: IPropertyInjector): { readonly stack: ApiStack; readonly deployment: string } {
  const app = new App({ context: cdkJson.context, outdir });
  if (injector !== undefined) PropertyInjectors.of(app).add(injector);
  const stage = parseStage(dev);
  const { tables } = new DataStack(app, 'Data', { stage });
  const stack = new ApiStack(app, 'Api', { stage, tables, code: stubCode() });
  const found = stack.node.findAll().find((each) => each instanceof CfnDeployment);
  return { stack, deployment: String(stack.resolve((found as CfnDeployment).logicalId)) };
}

const unchanged = build();
const pathsOf = (type: typeof Method | typeof GatewayResponse): string[] =>
  unchanged.stack.node.findAll().flatMap((each) => (each instanceof type ? [each.node.path] : []));

describe('a new deployment', () => {
  it('is not created when nothing changed', () => {
    expect(build().deployment).toBe(unchanged.deployment);
  });

  it('is created when the authorizer changes', () => {
    const renamed = change(RequestAuthorizer.PROPERTY_INJECTION_ID, '/RequestAuthorizer', (props) => ({
      ...props,
      authorizerName: 'another',
    }));
    expect(build(renamed).deployment).not.toBe(unchanged.deployment);
  });

  it.each(someOf(pathsOf(GatewayResponse), 5))('is created when a gateway response changes: %s', (path) => {
    const other = change(GatewayResponse.PROPERTY_INJECTION_ID, path, (props) => ({
      ...props,
      statusCode: '418',
    }));
    expect(build(other).deployment).not.toBe(unchanged.deployment);
  });

  it.each(someOf(pathsOf(Method), 9))('is created when a method changes: %s', (path) => {
    const other = change(Method.PROPERTY_INJECTION_ID, path, (props) => ({
      ...props,
      options: { ...(props['options'] as Props), operationName: 'another' },
    }));
    expect(build(other).deployment).not.toBe(unchanged.deployment);
  });

  it('is checked for every gateway response and method, all of them with EVERY_CASE', () => {
    expect([pathsOf(GatewayResponse).length, pathsOf(Method).length]).toEqual([21, 90]);
  });
});
