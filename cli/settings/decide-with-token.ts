// Decides about a token as the authorizer would, with the operator's permission to read keys, secrets and JWKS endpoints.
import { toAccessFacts } from '../../core/access/credentials.ts';
import { decide } from '../../core/access/decide.ts';
import type { Decision } from '../../core/access/decision.ts';
import type { AccessRequest } from '../../core/access/request.ts';
import type { AccessSettings } from '../../core/access/settings.ts';
import type { Ports } from '../session/ports.ts';
import type { NeuronTarget } from '../session/target.ts';
import type { ProvidedToken } from '../session/token.ts';

export interface TokenCaller {
  readonly target: NeuronTarget;
  readonly referer: string | undefined;
  readonly origin: string | undefined;
  readonly ip: string | undefined;
  readonly settings: AccessSettings;
}

export async function decideWithToken(
  { token }: ProvidedToken,
  { target, settings, referer, origin, ip }: TokenCaller,
  { keyReader, openJwt, clock }: Pick<Ports, 'keyReader' | 'openJwt' | 'clock'>,
): Promise<Decision> {
  const request: AccessRequest = {
    ...target,
    sourceIp: ip,
    referers: referer === undefined ? [] : [referer],
    origins: origin === undefined ? [] : [origin],
    authorizations: [`Bearer ${token}`],
    timeMs: clock.now(),
  };
  return decide(settings, toAccessFacts(request), { keys: keyReader, jwt: await openJwt() });
}
