// Stage settings of what a deployment may have besides: alarms, a domain, a firewall, a key, environments kept warm.
import * as z from 'zod/mini';
import { decimal, duration, integer, money } from '../../core/settings/scalars.ts';

const HOST_NAME = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const EMAIL = /^[^\s@,;<>"]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}$/;
const HOSTED_ZONE = /^Z[A-Z0-9]{1,31}$/;

/** An ARN (Service Authorization Reference), `resource` being the pattern of what follows the account. */
function arn(service: string, resource: string, error: string) {
  return z
    .string({ error })
    .check(z.regex(new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:[0-9]{12}:${resource}$`), { error }));
}

const email = z
  .string({ error: 'must be an e-mail address' })
  .check(
    z.regex(EMAIL, { error: 'must be an e-mail address such as team@example.com; write one per entry' }),
  );

const hostName = (error: string) => z.string({ error }).check(z.regex(HOST_NAME, { error }));

/** Thresholds have defaults in lib/constructs/observability/alarms.ts, which says where each comes from. */
export const alarms = z.strictObject(
  {
    /** Each gets a message from AWS first and must confirm it. Empty: alarms show in CloudWatch only. */
    addresses: z
      .array(email, { error: 'must be a list of e-mail addresses; an empty one sends nothing' })
      .check(z.maxLength(20, { error: 'must be at most 20 addresses; use a mailing list or topicArn' })),
    /** A topic that exists and lets CloudWatch publish; instead of addresses. */
    topicArn: z.optional(
      arn('sns', '[A-Za-z0-9_-]{1,256}', 'must be the ARN of a topic, arn:aws:sns:REGION:ACCOUNT:NAME'),
    ),
    /** Of all requests within five minutes, in percent. */
    serverErrorPercent: z.optional(decimal(0, 100)),
    /** Of all requests within five minutes, in percent: answers 503. */
    unavailablePercent: z.optional(decimal(0, 100)),
    /** The slowest of a hundred, waiting for the model included. */
    latencyP99: z.optional(duration('1s', '5m')),
    /** Failed attempts of model calls within five minutes. */
    providerErrors: z.optional(integer(1, 1_000_000)),
    /** US dollars of model calls within a day (UTC-independent: the last 24 hours). */
    dailySpending: z.optional(money),
  },
  { error: 'must be an object of settings, such as { addresses: [] }' },
);

/** A domain of the stage's own. The certificate is one of ACM in the stage's region. */
export const domain = z.strictObject(
  {
    name: hostName(
      'must be a host name in lower case such as neurons.example.com, without https:// and path',
    ),
    certificateArn: arn(
      'acm',
      'certificate/[0-9a-f-]{36}',
      "must be the ARN of an ACM certificate in the stage's region, arn:aws:acm:REGION:ACCOUNT:certificate/ID",
    ),
    /** Where the name is entered as an alias. Absent: enter the output `DomainTarget` at your DNS yourself. */
    hostedZone: z.optional(
      z.strictObject(
        {
          id: z
            .string({ error: 'must be the id of a hosted zone, such as Z0123456789ABC' })
            .check(
              z.regex(HOSTED_ZONE, { error: 'must be the id of a hosted zone, such as Z0123456789ABC' }),
            ),
          name: hostName('must be the name of the hosted zone, such as example.com'),
        },
        { error: 'must be { id: Z…, name: example.com }' },
      ),
    ),
  },
  { error: 'must be { name, certificateArn }' },
);

const WEB_ACL = 'must be the ARN of a Regional web ACL, arn:aws:wafv2:REGION:ACCOUNT:regional/webacl/NAME/ID';
const ONE_FIREWALL = 'must be either { webAclArn: … } or { requestsPerAddress: N }';

/** AWS WAF before the API: a web ACL that exists, or one of the stage's own. */
export const firewall = z.union(
  [
    z.strictObject({
      webAclArn: arn('wafv2', 'regional/webacl/[A-Za-z0-9_-]{1,128}/[0-9a-f-]{36}', WEB_ACL),
    }),
    z.strictObject({
      /** Within five minutes; WAF's own least is 10. */
      requestsPerAddress: integer(10, 2_000_000_000),
    }),
  ],
  { error: ONE_FIREWALL },
);

/** Encrypts the tables instead of DynamoDB's own key. Its policy must let the account's IAM policies decide. */
export const encryptionKeyArn = arn(
  'kms',
  'key/(?:mrk-)?[0-9a-f-]{32,36}',
  'must be the ARN of a symmetric KMS key, arn:aws:kms:REGION:ACCOUNT:key/ID; an alias can be pointed elsewhere',
);

/** Environments that are kept started, and paid for while nobody calls. */
export const provisionedConcurrency = z.strictObject(
  { authorizer: integer(1, 100_000), execution: integer(1, 100_000) },
  { error: 'must be { authorizer: N, execution: N }' },
);

/** Settings files that must pass for the stage to be deployed: a file, or a folder with .yaml files. */
export const neurons = z
  .string({ error: 'must be a path of settings files, such as settings/' })
  .check(z.minLength(1, { error: 'must be a path of settings files, such as settings/' }));
