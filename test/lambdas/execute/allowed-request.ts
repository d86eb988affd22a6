// A request to acme/hello that the authorizer let in.

/** As the execution function reads it, at a time and by a caller. */
export function allowedRequest<
  const Caller extends { authentication: string; keyId: string | undefined; username: string | undefined },
>(timeMs: number, caller: Caller) {
  return {
    executionId: 'e1',
    timeMs,
    organization: 'acme',
    neuron: 'hello',
    revision: undefined,
    previewKeys: [],
    idempotencyKeys: [],
    sourceIp: '203.0.113.7',
    refererHost: undefined,
    surface: 'native',
    unparsed: { body: '{}', bypassCache: [], rawOutput: [], accept: [] },
    authorizerContext: {
      outcome: 'allow',
      organization: 'acme',
      neuron: 'hello',
      organizationId: 'o1',
      neuronId: 'n1',
      settingsVersion: '1.1',
      ...caller,
    },
  } as const;
}
