// The one request to S3: signed, with the digest that Object Lock demands.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpRequest } from '../../../adapters/http/message.ts';
import { createObjectWriter } from '../../../adapters/s3/put-object.ts';
import { NOON_MS } from '../../core/logs/entries.ts';

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
});
afterEach(() => void vi.unstubAllEnvs());

function writer(status: number, region = 'eu-central-1') {
  const sent: HttpRequest[] = [];
  const put = createObjectWriter({
    bucket: 'audit-heads',
    clock: { now: () => NOON_MS },
    environment: { AWS_REGION: region },
    http: async (request) => {
      sent.push(request);
      return { status, headers: {}, body: new Uint8Array() };
    },
  });
  return { put, sent };
}

describe('putting an object', () => {
  it('sends it signed, with its digest and nothing that would shorten its retention', async () => {
    const { put, sent } = writer(200);
    await put('neuron-heads/prod/now.jsonl', 'a line\n');
    const [{ headers, ...request } = { headers: {} }] = sent;
    expect(request).toMatchObject({
      method: 'PUT',
      url: 'https://audit-heads.s3.eu-central-1.amazonaws.com/neuron-heads/prod/now.jsonl',
      body: 'a line\n',
    });
    const digest = createHash('sha256').update('a line\n').digest();
    expect(headers).toMatchObject({
      'content-length': '7',
      'x-amz-checksum-sha256': digest.toString('base64'),
      'x-amz-content-sha256': digest.toString('hex'),
      'x-amz-date': '20261121T123000Z',
      'x-amz-security-token': 'session',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20261121\/eu-central-1\/s3\/aws4_request, SignedHeaders=content-length;content-type;host;x-amz-checksum-sha256;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$/,
      ),
    });
    expect(Object.keys(headers ?? {}).filter((name) => name.includes('object-lock'))).toEqual([]);
  });

  it('locks it as long as it is told to, with headers that are signed', async () => {
    const { put, sent } = writer(200);
    await put('a', 'b', { mode: 'COMPLIANCE', untilMs: NOON_MS + 86_400_000 });
    const { headers = {} } = sent[0] ?? {};
    expect(headers).toMatchObject({
      'x-amz-object-lock-mode': 'COMPLIANCE',
      'x-amz-object-lock-retain-until-date': '2026-11-22T12:30:00.000Z',
    });
    expect(headers['authorization']).toContain('x-amz-object-lock-mode;x-amz-object-lock-retain-until-date');
  });

  it('goes to the domain of the partition', async () => {
    const { put, sent } = writer(200, 'cn-north-1');
    await put('a', 'b');
    expect(sent[0]?.url).toBe('https://audit-heads.s3.cn-north-1.amazonaws.com.cn/a');
  });

  it.each([301, 403, 503])('fails when S3 answers %i', async (status) => {
    const { put } = writer(status);
    await expect(put('a', 'b')).rejects.toThrow(`the bucket audit-heads answered ${status}`);
  });
});
