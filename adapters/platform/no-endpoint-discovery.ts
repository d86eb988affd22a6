// Replaces the SDK's endpoint discovery in the bundles: no operation of the functions needs it.

/** Name and shape are those of `@aws-sdk/middleware-endpoint-discovery`. The SDK reads the setting by these, and finds none. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};

/** Name as in `@aws-sdk/middleware-endpoint-discovery`. Returns the client's settings unchanged. */
export function resolveEndpointDiscoveryConfig<Settings>(settings: Settings): Settings {
  return settings;
}
