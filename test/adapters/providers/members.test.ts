// Each member of a request at each provider: honoured, refused or ignored by name. One that nobody decided fails here.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createAnthropicProvider } from '../../../adapters/providers/anthropic/index.ts';
import { buildMessagesRequest } from '../../../adapters/providers/anthropic/request.ts';
import { createBedrockProvider } from '../../../adapters/providers/bedrock/index.ts';
import { buildConverseRequest } from '../../../adapters/providers/bedrock/request.ts';
import { createEchoProvider } from '../../../adapters/providers/echo/index.ts';
import { toEchoResult } from '../../../adapters/providers/echo/response.ts';
import { createOpenaiProvider } from '../../../adapters/providers/openai/index.ts';
import { buildCompletionRequest } from '../../../adapters/providers/openai/request.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { pathOf } from '../../../core/flow/request/member-paths.ts';
import { type ModelProvider, type ModelRequest, ProviderFailure } from '../../../core/ports/providers.ts';
import { memberOf } from '../../../core/text/json.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { MEMBERS } from './member-table.ts';
import { type Decision, HELLO, type Provider } from './message-table.ts';

const BUILD: Readonly<Record<Provider, (request: ModelRequest) => unknown>> = {
  openai: (request) => buildCompletionRequest('https://api.openai.com/v1', request),
  anthropic: buildMessagesRequest,
  bedrock: buildConverseRequest,
  echo: (request) => {
    const { usage, ...said } = toEchoResult(request);
    return {
      ...said,
      ...(request.messages[0]?.role === 'user' && said.text === 'You said: ' ? { usage } : {}),
    };
  },
};

/** Of the provider, or with the words for the caller. */
function isRejection(thrown: unknown): boolean {
  return (
    thrown instanceof ProviderFailure || (thrown instanceof ServiceError && thrown.code === 'not_accepted')
  );
}

const PORTS = { http: NEVER, openHttp: NEVER, clock: createMemoryClock(), secrets: { read: NEVER } } as never;
const OMISSIONS: Readonly<Record<Provider, ModelProvider['omissionsOf']>> = {
  openai: createOpenaiProvider({ type: 'openai', baseUrl: 'https://a.example.com' }, PORTS).omissionsOf,
  anthropic: createAnthropicProvider(
    { type: 'anthropic', baseUrl: 'https://a.example.com', apiKey: { secret: 'k' } },
    PORTS,
  ).omissionsOf,
  bedrock: createBedrockProvider({ type: 'bedrock', region: 'us-east-1' }, PORTS).omissionsOf,
  echo: createEchoProvider({ type: 'echo' }, createMemoryClock()).omissionsOf,
};

function NEVER(): never {
  throw new Error('nothing is called');
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((one, name) => memberOf(one, name), value);
}

const rows = Object.entries(MEMBERS).flatMap(([name, member]) =>
  (Object.entries(member.at) as [Provider, Decision][]).map(([provider, decision]) => ({
    name,
    provider,
    decision,
    how: typeof decision === 'string' ? decision : 'honoured',
    without: member.of ?? HELLO,
    request: { ...(member.of ?? HELLO), ...member.with },
  })),
);

describe('a member of a request', () => {
  it.each(rows)('$name is $how by $provider', async ({ provider, decision, without, request }) => {
    const build = BUILD[provider];
    if (decision === 'refused') {
      expect(() => build(request)).toThrow(expect.toSatisfy(isRejection));
      return;
    }
    const sent = build(request);
    if (decision === 'ignored' || decision === 'left out') {
      expect(sent).toEqual(build(without));
      const usual = (await OMISSIONS[provider]?.(without)) ?? [];
      const named = ((await OMISSIONS[provider]?.(request)) ?? []).filter((one) => !usual.includes(one));
      expect(named).toHaveLength(decision === 'left out' ? 1 : 0);
      for (const one of named) expect(pathOf(one)).toBeDefined();
      return;
    }
    expect(await OMISSIONS[provider]?.(request)).toEqual(await OMISSIONS[provider]?.(without));
    const [path, value] = decision;
    expect(at(sent, path)).toEqual(value);
    expect(at(build(without), path)).not.toEqual(value);
  });

  it('that callers may send is in the table, each one', () => {
    const openapi = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
    const { properties } = openapi.components.schemas.Request;
    // Values of variables are texts of the flow before a provider is asked.
    const { input: _text, messages: _messages, variables: _values, parameters, ...others } = properties;
    const sent = [
      ...Object.keys(others),
      ...Object.keys(parameters.properties).map((one) => `parameters.${one}`),
    ];
    for (const name of sent) {
      expect(Object.keys(MEMBERS).some((one) => one === name || one.startsWith(`${name}:`))).toBe(true);
    }
  });

  it('that is ignored or refused is named in docs/providers.md', () => {
    const page = readFileSync(new URL('../../../docs/providers.md', import.meta.url), 'utf8');
    for (const [name, member] of Object.entries(MEMBERS)) {
      const { echo: _offline, ...others } = member.at;
      if (Object.values(others).every((decision) => typeof decision !== 'string')) continue;
      expect(page).toContain(`\`${name}\``);
    }
  });
});
