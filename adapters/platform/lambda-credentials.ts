// Stands in for the SDK's chain of credential providers in the bundles: a function gets its role's credentials in variables, and
// the other providers (profiles, SSO, web identity, metadata services) are never asked there.

/** What requests are signed with. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Name and shape are those of `@aws-sdk/credential-provider-node`. The provider throws where a variable is missing. */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    } = process.env;
    if (!accessKeyId || !secretAccessKey) {
      throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
    }
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  };
}
