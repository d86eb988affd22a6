// The types of gateway responses, with their defaults where the template does not customise them.

/** A response type that a template may customise. */
export type GatewayResponseType = keyof typeof GATEWAY_RESPONSE_DEFAULTS;

/**
 * Default status, the `x-amzn-ErrorType` header and the default message of each type. Statuses: API Gateway Developer
 * Guide, "Gateway response types"; messages and headers as API Gateway is known to send them. The two DEFAULT types have
 * a status per error: the one here is for errors without.
 */
export const GATEWAY_RESPONSE_DEFAULTS = {
  ACCESS_DENIED: [403, 'AccessDeniedException', 'User is not authorized to access this resource'],
  API_CONFIGURATION_ERROR: [500, 'ApiConfigurationException', 'Internal server error'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'AuthorizerConfigurationException', null],
  AUTHORIZER_FAILURE: [500, 'AuthorizerFailureException', null],
  BAD_REQUEST_BODY: [400, 'BadRequestException', 'Invalid request body'],
  BAD_REQUEST_PARAMETERS: [400, 'BadRequestException', 'Missing required request parameters'],
  DEFAULT_4XX: [400, 'BadRequestException', 'Bad Request'],
  DEFAULT_5XX: [500, 'InternalServerErrorException', 'Internal server error'],
  EXPIRED_TOKEN: [403, 'ExpiredTokenException', 'The security token included in the request is expired'],
  INTEGRATION_FAILURE: [504, 'InternalServerErrorException', 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'InternalServerErrorException', 'Endpoint request timed out'],
  INVALID_API_KEY: [403, 'ForbiddenException', 'Forbidden'],
  INVALID_SIGNATURE: [403, 'InvalidSignatureException', 'Invalid signature'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'MissingAuthenticationTokenException', 'Missing Authentication Token'],
  QUOTA_EXCEEDED: [429, 'LimitExceededException', 'Limit Exceeded'],
  REQUEST_TOO_LARGE: [413, 'RequestTooLargeException', 'Request Too Long'],
  RESOURCE_NOT_FOUND: [404, 'ResourceNotFoundException', 'Resource not found'],
  THROTTLED: [429, 'TooManyRequestsException', 'Too Many Requests'],
  UNAUTHORIZED: [401, 'UnauthorizedException', 'Unauthorized'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'BadRequestException', 'Unsupported Media Type'],
  WAF_FILTERED: [403, 'ForbiddenException', 'Forbidden'],
} as const satisfies Record<string, readonly [status: number, errorType: string, message: string | null]>;

/** An error that API Gateway answers by itself. */
export interface GatewayError {
  readonly type: GatewayResponseType;
  /** In place of the type's default status. */
  readonly status?: number;
  /** In place of the type's default message. */
  readonly message?: string;
}
