// Stands in for the SDK's chain of credential providers in the bundles: a function gets its role's credentials in variables, and
// the other providers (profiles, SSO, web identity, metadata services) are never asked there.

/** What requests are signed with. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Name and shape are those of `@aws-sdk/credential-provider-node`. The provider throws where a variable is missing. What it has read
 * it gives again, as that one does: an environment keeps its credentials, and a client asks three times for each request.
 */
export function defaultProvider(): () => Promise<Credentials> {
  let read: Credentials | undefined;
  return async () => {
    if (read !== undefined) return read;
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    } = process.env;
    if (!accessKeyId || !secretAccessKey) {
      throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
    }
    read = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
    return read;
  };
}
