// Sends requests to listed hosts only.
import { type ProviderHosts, rejectProviderHost } from '../../core/settings/provider-hosts.ts';
import { parseWebUrl } from '../../core/settings/web-url.ts';
import { HttpFailure } from './failure.ts';

/**
 * The sender, bound to a list of hosts; the same sender where there is no list. Throws `HttpFailure` `refused` for another host, before its
 * name is resolved. Redirects are not followed, so the host of the URL is the one that gets the request.
 */
export function bindToHosts<Request extends { readonly url: string }, Answer>(
  hosts: ProviderHosts | undefined,
  send: (request: Request) => Promise<Answer>,
): (request: Request) => Promise<Answer> {
  if (hosts === undefined) return send;
  return async (request) => {
    const rejection = rejectProviderHost(hosts, parseWebUrl(request.url)?.hostname ?? '');
    if (rejection !== undefined) throw new HttpFailure('refused', `the URL ${rejection}`);
    return send(request);
  };
}
