// Stands in for the SDK's endpoint discovery in the bundles: no operation that the functions call asks for it.

/** Name and shape are those of `@aws-sdk/middleware-endpoint-discovery`: where the SDK looks for the setting. It finds none. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};

/** Name as in `@aws-sdk/middleware-endpoint-discovery`. Gives the client's settings back as they are. */
export function resolveEndpointDiscoveryConfig<Settings>(settings: Settings): Settings {
  return settings;
}
