// The caller's address comes from the connection: no header that a caller can send changes it, or who is let in by it.
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAccessRequest } from '../../../adapters/apigateway/access-event.ts';
import { NO_JWTS } from '../../../core/admin/explain/example-jwt.ts';
import { createMemoryKeyStore } from '../../support/memory/key-store.ts';
import { decide, settingsWith } from './examples.ts';

const FORWARDING = [
  'X-Forwarded-For',
  'x-forwarded-for',
  'Forwarded',
  'X-Real-IP',
  'X-Client-IP',
  'Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'X-Cluster-Client-IP',
  'X-Original-Forwarded-For',
  'X-Amzn-Source-Ip',
  'Via',
  'Host',
  'sourceIp',
];

/** An authorizer event with what is read of it, and what a caller can write into it. */
function eventWith(headers: Readonly<Record<string, string[]>>): APIGatewayRequestAuthorizerEvent {
  const claimed = Object.values(headers).flat()[0] ?? '';
  const event = {
    type: 'REQUEST',
    pathParameters: { organization: 'acme', neuron: 'support' },
    headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.at(-1)])),
    multiValueHeaders: headers,
    queryStringParameters: { sourceIp: claimed, ip: claimed },
    multiValueQueryStringParameters: { sourceIp: [claimed], ip: [claimed] },
    requestContext: { identity: { sourceIp: '192.0.2.1' }, requestTimeEpoch: 1_000 },
  };
  return event as unknown as APIGatewayRequestAuthorizerEvent;
}

const address = fc.constantFrom(
  '203.0.113.7',
  'for=203.0.113.7',
  '203.0.113.7, 192.0.2.1',
  '127.0.0.1',
  'unknown',
);
const headers = fc.dictionary(
  fc.oneof(fc.constantFrom(...FORWARDING), fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,20}$/)),
  fc.array(fc.oneof(address, fc.string({ maxLength: 30 })), { minLength: 1, maxLength: 3 }),
  { maxKeys: 6 },
);

describe('the address of a caller', () => {
  it('is the one of the connection, whatever the headers and parameters say', () => {
    fc.assert(fc.property(headers, (sent) => toAccessRequest(eventWith(sent), 0).sourceIp === '192.0.2.1'));
  });

  it.each(FORWARDING)('refuses a caller that claims a listed address in %s', async (name) => {
    const request = toAccessRequest(eventWith({ [name]: ['203.0.113.7'] }), 0);
    const decision = await decide(settingsWith({ ips: ['203.0.113.7'] }), request, {
      keys: createMemoryKeyStore(),
      jwt: NO_JWTS,
    });
    expect(decision).toMatchObject({ outcome: 'refused', code: 'ip_not_allowed' });
  });
});
