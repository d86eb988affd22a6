// The username of an end user of an API key, for whom a trusted back end calls: in the log, in limits and in usage.

/** `nrn_<key id>/NAME`, so that no two keys share an end user. */
export function toEndUsername(keyId: string, name: string): string {
  return `nrn_${keyId}/${name}`;
}

const END_USERNAME = /^nrn_([0-9A-Za-z]{12})\//;

/** The id of the key whose end user it is; undefined for the name of a token's user, who may have none such. */
export function keyOfEndUsername(username: string): string | undefined {
  return END_USERNAME.exec(username)?.[1];
}

/** As the back end named it. */
export function nameInEndUsername(username: string): string {
  return username.replace(END_USERNAME, '');
}

/** True for an end user of this key. */
export function isEndUsernameOf(keyId: string, username: string | undefined): username is string {
  return username?.startsWith(toEndUsername(keyId, '')) === true;
}
