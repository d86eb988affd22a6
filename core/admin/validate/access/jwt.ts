// Validates the settings of `jwt`: exactly one way to verify, algorithms of its family, addresses that may be connected to.
import { type JwtAccess, SHARED_SECRET_ALGORITHMS } from '../../../settings/access-schema.ts';
import { type AddressPolicy, rejectUrl } from '../../../settings/address-policy.ts';
import { below, errorAt, type PartDiagnostic, warningAt } from '../../diagnostic.ts';

/** Validates `jwt`; absent settings are valid. Paths begin at `jwt`. */
export function validateJwt(jwt: JwtAccess | undefined, addresses: AddressPolicy): PartDiagnostic[] {
  if (jwt === undefined) return [];
  return below(
    ['jwt'],
    [
      ...validateMethod(jwt),
      ...validatePrevious(jwt),
      ...validateUrls(jwt.jwks ?? [], addresses),
      ...validateAlgorithms(jwt),
      ...validateUsername(jwt),
      ...warnAboutClaims(jwt),
      ...warnAboutPath(jwt),
    ],
  );
}

function validateMethod({ jwks, sharedSecret }: JwtAccess): PartDiagnostic[] {
  if (jwks !== undefined && sharedSecret !== undefined) {
    const message =
      'has both jwks and sharedSecret, so that whoever has either key could sign. Keep the one that your tokens are signed for.';
    return [errorAt([], message)];
  }
  if (jwks === undefined && sharedSecret === undefined) {
    const message =
      'has neither jwks nor sharedSecret, so no token could be verified. Add jwks: [URL], or sharedSecret: { secret: NAME }.';
    return [errorAt([], message)];
  }
  if (jwks?.length !== 0) return [];
  const message = 'is empty, which would let nobody in. List the URL that publishes the keys of your tokens.';
  return [errorAt(['jwks'], message)];
}

function validatePrevious({ sharedSecret }: JwtAccess): PartDiagnostic[] {
  if (sharedSecret === undefined || sharedSecret.previous !== sharedSecret.secret) return [];
  const message =
    'is the same name as secret. Name the secret that was used before, or leave previous out when the rotation has ended.';
  return [errorAt(['sharedSecret', 'previous'], message)];
}

function validateUrls(urls: readonly string[], addresses: AddressPolicy): PartDiagnostic[] {
  return urls.flatMap((url, index) => {
    const message =
      urls.indexOf(url) < index ? 'is listed twice. Remove one of them.' : rejectUrl(url, addresses);
    return message === undefined ? [] : [errorAt(['jwks', index], message)];
  });
}

function validateAlgorithms({ algorithms = [], jwks, sharedSecret }: JwtAccess): PartDiagnostic[] {
  // Without exactly one method the family is not known, which is said already.
  if ((jwks === undefined) === (sharedSecret === undefined)) return [];
  const method = sharedSecret === undefined ? 'jwks' : 'sharedSecret';
  const ofSecrets: readonly string[] = SHARED_SECRET_ALGORITHMS;
  return algorithms.flatMap((algorithm, index) => {
    const path = ['algorithms', index];
    if (algorithms.indexOf(algorithm) < index)
      return [errorAt(path, `is ${algorithm}, which is listed twice. Remove one of them.`)];
    if (ofSecrets.includes(algorithm) === (method === 'sharedSecret')) return [];
    const family = method === 'jwks' ? 'RS, PS, ES or EdDSA' : 'HS';
    const message = `is ${algorithm}, with which ${method} verifies nothing. List algorithms of the family ${family}.`;
    return [errorAt(path, message)];
  });
}

function validateUsername({ requireUsername, usernamePath }: JwtAccess): PartDiagnostic[] {
  if (requireUsername && usernamePath === undefined) {
    const message =
      'is true, but no usernamePath says where the username is, so nobody could be let in. Add usernamePath, such as sub.';
    return [errorAt(['requireUsername'], message)];
  }
  if (typeof usernamePath !== 'string' || usernamePath.split('.').every((name) => name !== '')) return [];
  const message = `is ${JSON.stringify(usernamePath)}, which has an empty name before or after a dot. Write the names with one dot between them.`;
  return [errorAt(['usernamePath'], message)];
}

function warnAboutClaims({ jwks, audience, requireExpiry }: JwtAccess): PartDiagnostic[] {
  const warnings: PartDiagnostic[] = [];
  if (jwks !== undefined && audience === undefined) {
    const message =
      'checks no audience, so every token of the same login service is let in, also one that was made for another application. Add audience.';
    warnings.push(warningAt([], message));
  }
  if (!requireExpiry) {
    const message =
      'is false, so a token without exp is let in for ever: a stolen one stays good until its key is changed.';
    warnings.push(warningAt(['requireExpiry'], message));
  }
  return warnings;
}

function warnAboutPath({ usernamePath }: JwtAccess): PartDiagnostic[] {
  if (typeof usernamePath !== 'string' || !/^https?:\/\//.test(usernamePath)) return [];
  const message = `is split at its dots, which a claim that is named by a URL does not mean. Write it as a list: [${JSON.stringify(usernamePath)}].`;
  return [warningAt(['usernamePath'], message)];
}
