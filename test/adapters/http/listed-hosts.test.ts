// A sender that is bound to a list sends nothing to another host, however the URL is written.
import { describe, expect, it } from 'vitest';
import { bindToHosts } from '../../../adapters/http/listed-hosts.ts';

function bind(hosts: readonly string[] | undefined) {
  const sent: string[] = [];
  const send = async ({ url }: { readonly url: string }) => sent.push(url);
  return { sent, send: bindToHosts(hosts, send) };
}

describe('a sender with a list of hosts', () => {
  it.each([
    'https://evil.example/v1',
    'https://api.example.com@evil.example/v1',
    'https://api.example.com.evil.example/v1',
    'https:\\\\api.example.com\\v1',
    'https:/api.example.com/v1',
    'https://api.exa\tmple.com/v1',
    'file:///etc/passwd',
    'api.example.com',
    '',
  ])('sends nothing to %s', async (url) => {
    const { sent, send } = bind(['api.example.com']);
    await expect(send({ url })).rejects.toMatchObject({ name: 'HttpFailure', kind: 'refused' });
    expect(sent).toEqual([]);
  });

  it('names the host and nothing else of the URL', async () => {
    const { send } = bind(['api.example.com']);
    await expect(send({ url: 'https://evil.example/v1?key=secret' })).rejects.toMatchObject({
      message:
        'the URL is on evil.example, which the stage setting providerHosts does not list (api.example.com). Name a listed host, or add it there and deploy',
    });
  });

  it('sends to a listed host', async () => {
    const { sent, send } = bind(['*.example.com']);
    await send({ url: 'https://API.example.com.:8443/v1' });
    expect(sent).toEqual(['https://API.example.com.:8443/v1']);
  });

  it('sends to every host without a list', async () => {
    const { sent, send } = bind(undefined);
    await send({ url: 'https://evil.example/' });
    expect(sent).toHaveLength(1);
  });
});
