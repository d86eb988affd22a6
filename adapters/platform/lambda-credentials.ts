// Replaces the SDK's chain of credential providers in the bundles: a function gets its role's credentials in variables, and
// never needs the other providers (profiles, SSO, web identity, metadata services).
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Name and shape are those of `@aws-sdk/credential-provider-node`. The provider throws where a variable is missing. It reads the
 * variables once: an environment keeps its credentials, and a client asks for them three times in each request.
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
