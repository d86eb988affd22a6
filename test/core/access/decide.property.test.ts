// Properties of the decision over requests and settings that nobody thought of.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessRequest } from '../../../core/access/request.ts';
import { NO_JWTS } from '../../../core/admin/explain/example-jwt.ts';
import { anyText } from '../../support/any-text.ts';
import { CREDENTIAL_KINDS } from './decision-table.ts';
import { createKeyring, decide, NOW, requestWith, settingsWith } from './examples.ts';

const { keys, headers } = await createKeyring();
const badHeaders = CREDENTIAL_KINDS.filter((kind) => kind !== 'valid' && kind !== 'unreachable').map(
  (kind) => headers[kind],
);

const host = fc.constantFrom(
  'app.example.com',
  'www.example.org',
  'example.org',
  'evil.example',
  '127.0.0.1',
);
const address = fc.constantFrom('203.0.113.7', '198.51.100.9', '192.0.2.1', '127.0.0.1', '::1', '010.0.0.1');
const junk = fc.oneof(fc.string({ maxLength: 40 }), anyText(40));

const referer = fc.oneof(
  host.map((name) => `https://${name}/`),
  fc.tuple(junk, host, junk).map((parts) => `https://${parts.join('')}`),
  fc.webUrl(),
  junk,
);
const authorization = fc.oneof(
  // One of two equal headers would be the valid one.
  fc.constantFrom(...badHeaders.filter(({ length }) => length === 1).flat()),
  junk.map((text) => `Bearer ${text}`),
  fc.stringMatching(/^Bearer nrn_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}$/),
  junk,
);

/** Requests that hold no credential but bad ones, and anything else. */
const uncredentialed: fc.Arbitrary<AccessRequest> = fc.record({
  organization: fc.constant('acme'),
  neuron: fc.constant('support'),
  sourceIp: fc.oneof(address, junk, fc.constant(undefined)),
  referers: fc.array(referer, { maxLength: 3 }),
  origins: fc.array(
    fc.oneof(
      referer,
      host.map((name) => `https://${name}`),
      fc.constant('null'),
    ),
    { maxLength: 2 },
  ),
  authorizations: fc.oneof(fc.constantFrom(...badHeaders), fc.array(authorization, { maxLength: 3 })),
  timeMs: fc.constantFrom(NOW, NOW + 1, NOW + 86_400_000),
});

const request = fc.oneof(
  uncredentialed,
  uncredentialed.map((one) => ({ ...one, authorizations: headers.valid })),
);

const referers = fc.uniqueArray(
  fc.oneof(
    host,
    host.map((name) => `*.${name}`),
    junk,
  ),
  { maxLength: 4 },
);
const ips = fc.uniqueArray(
  fc.oneof(address, fc.constantFrom('198.51.100.0/24', '0.0.0.0/1', '128.0.0.0/1'), junk),
  {
    maxLength: 4,
  },
);

async function isAllowed(access: unknown, one: AccessRequest): Promise<boolean> {
  return (await decide(settingsWith(access), one, { keys, jwt: NO_JWTS })).outcome === 'allow';
}

describe('a decision', () => {
  it('lets nobody in without a valid credential where one is required, whatever else the request holds', async () => {
    const others = fc.record({ referers, ips }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(others, uncredentialed, async (more, one) => {
        expect(await isAllowed({ apiKey: true, ...more }, one)).toBe(false);
      }),
    );
  });

  it('lets in with the same request and the valid key, so that the property above is about the key', async () => {
    const good = requestWith({ referers: ['https://app.example.com/'], authorizations: headers.valid });
    expect(await isAllowed({ apiKey: true, referers: ['app.example.com'] }, good)).toBe(true);
  });

  it.each([
    ['apiKey', { apiKey: true }],
    ['ips', { ips: ['198.51.100.0/24', '203.0.113.7'] }],
  ])('never lets more in when referers are added to %s', async (_method, access) => {
    await fc.assert(
      fc.asyncProperty(referers, request, async (added, one) => {
        const before = await isAllowed(access, one);
        expect(before || !(await isAllowed({ ...access, referers: added }, one))).toBe(true);
      }),
    );
  });

  it.each([
    ['apiKey', { apiKey: true }],
    ['referers', { referers: ['app.example.com', '*.example.org'] }],
  ])('never lets more in when ips are added to %s', async (_method, access) => {
    await fc.assert(
      fc.asyncProperty(ips, request, async (added, one) => {
        const before = await isAllowed(access, one);
        expect(before || !(await isAllowed({ ...access, ips: added }, one))).toBe(true);
      }),
    );
  });

  it('never lets more in when apiKey is added to what a neuron has', async () => {
    const others = fc.oneof(fc.record({ referers }), fc.record({ ips }), fc.record({ referers, ips }));
    await fc.assert(
      fc.asyncProperty(others, request, async (access, one) => {
        const before = await isAllowed(access, one);
        expect(before || !(await isAllowed({ ...access, apiKey: true }, one))).toBe(true);
      }),
    );
  });

  it('lets in only callers whose address is listed where ips are set, whatever their headers say', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        const allowed = await isAllowed({ ips: ['203.0.113.7', '198.51.100.0/24'], apiKey: true }, one);
        const isListed = one.sourceIp === '203.0.113.7' || one.sourceIp === '198.51.100.9';
        expect(allowed && !isListed).toBe(false);
      }),
    );
  });

  it('never throws, and ends in one of the four ways', async () => {
    const access = fc.record(
      { public: fc.boolean(), referers, ips, apiKey: fc.boolean() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(access, request, async (settings, one) => {
        const decision = await decide(settingsWith(settings), one, { keys, jwt: NO_JWTS });
        expect(['allow', 'refused', 'not_found']).toContain(decision.outcome);
        expect(decision.steps.length).toBeGreaterThan(0);
      }),
    );
  });
});
