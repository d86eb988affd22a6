// Events that lack members which AWS does not document everywhere: nobody gets in by it, and nobody is locked out.
import { describe, expect, it } from 'vitest';
import { toAccessRequest } from '../../../adapters/apigateway/access-event.ts';
import { NO_JWTS } from '../../../core/admin/explain/example-jwt.ts';
import { authorizerEvent } from '../../adapters/apigateway/events.ts';
import { createKeyring, decide, NOW, requestWith, settingsWith } from './examples.ts';

const { keys, headers } = await createKeyring();
const ports = { keys, jwt: NO_JWTS };
/** Of the key `expired`. */
const EXPIRY = Date.parse('2026-11-21T12:00:00.000Z');
const LISTED = { referers: ['app.example.com'] };

const decideEvent = (referer: string, without: readonly string[], access: object = LISTED) => {
  const event = authorizerEvent({ headers: { Referer: [referer], Host: ['api.example.com'] }, without });
  return decide(settingsWith(access), toAccessRequest(event, NOW), ports);
};

describe('an event without lists of header values', () => {
  it.each([[['multiValueHeaders']], [['headers']], [[]]])(
    'without %j lets a listed page in and no other',
    async (without) => {
      expect(await decideEvent('https://app.example.com/', without)).toMatchObject({ outcome: 'allow' });
      expect(await decideEvent('https://evil.example/', without)).toMatchObject({
        code: 'referer_not_allowed',
      });
    },
  );

  it('and without headers lets nobody in by a Referer, and who needs none by the rest', async () => {
    const without = ['multiValueHeaders', 'headers'];
    for (const referer of ['https://app.example.com/', 'https://evil.example/']) {
      expect(await decideEvent(referer, without)).toMatchObject({ code: 'referer_not_allowed' });
    }
    expect(await decideEvent('', without, { public: true })).toMatchObject({ outcome: 'allow' });
    expect(await decideEvent('', without, { ips: ['203.0.113.7'] })).toMatchObject({ outcome: 'allow' });
    expect(await decideEvent('', without, { apiKey: true })).toMatchObject({ code: 'unauthorized' });
  });

  it('and without an address lets nobody in by one', async () => {
    const decision = await decideEvent('https://app.example.com/', ['requestContext.identity'], {
      ips: ['203.0.113.7'],
    });
    expect(decision).toMatchObject({ code: 'ip_not_allowed' });
  });
});

describe('a request whose time is unknown', () => {
  it("is decided by the clock's: a key that expires is good until then", async () => {
    const decideAt = (nowMs: number) => {
      const event = authorizerEvent({
        headers: { authorization: [...headers.expired] },
        without: ['requestContext.requestTimeEpoch'],
      });
      return decide(settingsWith({ apiKey: true }), toAccessRequest(event, nowMs), ports);
    };
    expect(await decideAt(EXPIRY - 1)).toMatchObject({ outcome: 'allow' });
    expect(await decideAt(EXPIRY)).toMatchObject({ code: 'unauthorized' });
  });

  it('is refused when the clock is no help either', async () => {
    const request = requestWith({ authorizations: headers.expired, timeMs: Number.NaN });
    expect(await decide(settingsWith({ apiKey: true }), request, ports)).toMatchObject({
      code: 'unauthorized',
    });
  });
});
