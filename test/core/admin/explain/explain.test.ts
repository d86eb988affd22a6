// `neuron explain`: the decision itself, for a caller that is only imagined.
import { describe, expect, it } from 'vitest';
import type { AccessSettings } from '../../../../core/access/settings.ts';
import { type ExplainedCaller, explain, renderExplanation } from '../../../../core/admin/explain/explain.ts';
import { settingsWith } from '../../access/examples.ts';

async function lines(settings: AccessSettings, caller: ExplainedCaller = {}): Promise<string[]> {
  return renderExplanation(await explain(settings, caller));
}

const PASSES = 'settings    passes   the neuron exists and its settings can be used';
const NOT_PUBLIC = 'public      off      not asked for by the settings';
const NO_REFERERS = 'referers    off      not asked for by the settings';
const NO_IPS = 'ips         off      not asked for by the settings';

describe('explaining', () => {
  it('shows each check of a neuron that asks for everything, and what a key changes', async () => {
    const settings = settingsWith({
      referers: ['app.example.com'],
      ips: ['198.51.100.0/24'],
      apiKey: true,
    });
    expect(await lines(settings, { referer: 'https://app.example.com/', ip: '198.51.100.9' })).toEqual([
      PASSES,
      NOT_PUBLIC,
      "referers    passes   the Referer's host app.example.com is listed as app.example.com",
      'ips         passes   198.51.100.9 is listed as 198.51.100.0/24',
      'credentials refuses  the request carries no Authorization header',
      'Without a valid API key: 401 unauthorized',
      'With a valid API key: allowed as apiKey',
    ]);
  });

  it('checks the Origin of a page too, which a page cannot suppress', async () => {
    const settings = settingsWith({ referers: ['app.example.com'] });
    expect((await lines(settings, { origin: 'https://attacker.example' })).slice(-2)).toEqual([
      "referers    refuses  the Origin's host attacker.example is not listed",
      'Any caller like this: 403 referer_not_allowed',
    ]);
    expect((await lines(settings, { origin: 'https://app.example.com' })).at(-1)).toBe(
      'Any caller like this: allowed as referer',
    );
  });

  it('stops where the first refusal is, key or no key', async () => {
    const settings = settingsWith({ ips: ['198.51.100.0/24'], apiKey: true });
    expect(await lines(settings, { ip: '192.0.2.1' })).toEqual([
      PASSES,
      NOT_PUBLIC,
      NO_REFERERS,
      'ips         refuses  192.0.2.1 is not listed',
      'Any caller like this: 403 ip_not_allowed',
    ]);
  });

  it('takes a caller without an address for one that no list holds', async () => {
    expect((await lines(settingsWith({ ips: ['198.51.100.0/24'] }))).at(-2)).toBe(
      "ips         refuses  the caller's address is unknown",
    );
  });

  it('shows a public neuron', async () => {
    expect(await lines(settingsWith({ public: true }))).toEqual([
      PASSES,
      'public      allows   the neuron is public',
      'Any caller like this: allowed as public',
    ]);
  });

  it('shows a closed neuron', async () => {
    expect(await lines(settingsWith({}))).toEqual([
      PASSES,
      NOT_PUBLIC,
      NO_REFERERS,
      NO_IPS,
      'credentials off      not asked for by the settings',
      'enabled     refuses  no way of access is enabled',
      'Any caller like this: 403 access_closed',
    ]);
  });

  it('shows a key that would change nothing, because something else is switched off', async () => {
    expect((await lines(settingsWith({ apiKey: true, public: false }))).slice(-2)).toEqual([
      'Without a valid API key: 401 unauthorized',
      'With a valid API key: 403 access_closed',
    ]);
  });

  it('shows a neuron that is unknown, and a store that fails', async () => {
    expect(await lines({ outcome: 'not_found', reason: 'the neuron is unknown' })).toEqual([
      'settings    refuses  the neuron is unknown',
      'Any caller like this: 404 not_found',
    ]);
    expect(await lines({ outcome: 'unavailable', reason: 'no settings', cause: undefined })).toEqual([
      'settings    fails    no settings',
      'Any caller like this: 503 dependency_unavailable',
    ]);
  });
});
