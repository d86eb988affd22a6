// Stage settings of optional features: alarms, a domain, a firewall, a KMS key, provisioned concurrency, settings files.
import * as z from 'zod/mini';
import { members } from '../../core/settings/members.ts';
import { isHostPattern } from '../../core/settings/provider-hosts.ts';
import { decimal, duration, flag, integer, money, slug } from '../../core/settings/scalars.ts';
import { parseWebUrl } from '../../core/settings/web-url.ts';

const HOST_NAME = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const EMAIL = /^[^\s@,;<>"]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}$/;
export const REGION = /^[a-z]{2}(?:-[a-z]+){1,3}-[1-9]$/;
const HOSTED_ZONE = /^Z[A-Z0-9]{1,31}$/;

/** Text that fits a pattern; `error` says what it must be. */
export function matching(pattern: RegExp, error: string) {
  return z.string({ error }).check(z.regex(pattern, { error }));
}

/** An ARN (Service Authorization Reference); `resource` is the pattern of the part after the account. */
function arn(service: string, resource: string, error: string) {
  return matching(new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:[0-9]{12}:${resource}$`), error);
}

/** A KMS key. Its policy must delegate to the account's IAM policies. */
export const kmsKeyArn = arn(
  'kms',
  'key/(?:mrk-)?[0-9a-f-]{32,36}',
  'must be the ARN of a symmetric KMS key, arn:aws:kms:REGION:ACCOUNT:key/ID; an alias is not allowed, since it can be moved to another key',
);

const email = z
  .string({ error: 'must be an e-mail address' })
  .check(
    z.regex(EMAIL, { error: 'must be an e-mail address such as team@example.com; write one per entry' }),
  );

const hostName = (error: string) => matching(HOST_NAME, error);

/** Defaults of the thresholds are in lib/constructs/observability/alarms.ts. */
export const alarms = members(
  {
    /** AWS asks each address to confirm first. Empty: alarms show in CloudWatch only. */
    addresses: z
      .array(email, { error: 'must be a list of e-mail addresses; an empty one sends nothing' })
      .check(z.maxLength(20, { error: 'must be at most 20 addresses; use a mailing list or topicArn' })),
    /** An existing topic that lets CloudWatch publish, instead of addresses. */
    topicArn: z.optional(
      arn('sns', '[A-Za-z0-9_-]{1,256}', 'must be the ARN of a topic, arn:aws:sns:REGION:ACCOUNT:NAME'),
    ),
    /** The KMS key of that topic, where it is encrypted: alerts of usage limits are published with it. */
    topicKeyArn: z.optional(kmsKeyArn),
    /** Share of all requests within five minutes, in percent. */
    serverErrorPercent: z.optional(decimal(0, 100)),
    /** Share of answers 503 within five minutes, in percent. */
    unavailablePercent: z.optional(decimal(0, 100)),
    /** p99 of the latency, the model's included. */
    latencyP99: z.optional(duration('1s', '5m')),
    /** Failed attempts of model calls within five minutes. */
    providerErrors: z.optional(integer(1, 1_000_000)),
    /** US dollars of model calls within the last 24 hours. */
    dailySpending: z.optional(money),
  },
  'must be an object of settings, such as { addresses: [] }',
);

const OWN_LATENCY = 'must be a time from 1ms to 60s, such as 500ms or 1s';

/** In milliseconds. A service answers by itself within milliseconds, for which durations of settings have no unit. */
const ownLatency = z.pipe(
  matching(/^(?:[1-9][0-9]{0,3}ms|(?:[1-9]|[1-5][0-9]|60)s)$/, OWN_LATENCY),
  z.transform((text) => Number.parseInt(text, 10) * (text.endsWith('ms') ? 1 : 1000)),
);

const TAG = /^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+@-]+$/iu;
const TAG_NAME =
  'must name tags of 1 to 128 letters, digits, spaces and _.:/=+-@, and none that begins with aws:';
const TAG_VALUE = 'must be text of 1 to 256 letters, digits, spaces and _.:/=+-@';

/** Tags of every resource that takes tags, such as a cost center. AWS allows 50, of which the CDK may add some. */
export const tags = z
  .record(
    z.string().check(z.regex(TAG, { error: TAG_NAME }), z.maxLength(128, { error: TAG_NAME })),
    z
      .string({ error: TAG_VALUE })
      .check(z.regex(TAG, { error: TAG_VALUE }), z.maxLength(256, { error: TAG_VALUE })),
    { error: 'must be an object of tags, such as { costCenter: "4711" }' },
  )
  .check(z.refine((all) => Object.keys(all).length <= 40, { error: 'must be at most 40 tags' }));

/** Objectives whose error budget of 30 days is watched. At least one of them is set. */
export const slo = members(
  {
    /** Answers without a 5xx, in percent, such as 99.9. */
    availability: z.optional(decimal(90, 99.999)),
    /** The p99 of the latency without the wait for models, such as 500ms. */
    latencyP99: z.optional(ownLatency),
    /** Bad requests within the long window, below which no alarm goes off: a quiet night has few calls. */
    minimumFailures: z._default(integer(1, 1_000_000), 10),
  },
  'must be an object of objectives, such as { availability: 99.9 }',
);

/** That the address is public is looked at when it is connected to. */
function isHttpsUrl(text: string): boolean {
  const url = parseWebUrl(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
}

const ENDPOINT =
  'must be an https URL such as https://otlp.example.com/v1/traces, without user name or password';

const HEADERS_SECRET =
  'must be the name of a secret such as neuron-traces, or its whole ARN, arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME-SUFFIX';

/** Names as CreateSecret takes them (AWS Secrets Manager API Reference). */
const SECRET = /^(?:arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:)?[A-Za-z0-9/_+=.@-]{1,512}$/;

const EVENT_BUS =
  'must be the name or the ARN of an event bus, such as alerts or arn:aws:events:REGION:ACCOUNT:event-bus/alerts';

/** Where spans go. */
export const traces = members(
  {
    /** The whole URL that spans are posted to, as OTLP over HTTP with JSON; it must be public, as the URL of a provider must. */
    endpoint: z.string({ error: ENDPOINT }).check(z.refine(isHttpsUrl, { error: ENDPOINT })),
    /** A secret in Secrets Manager, a JSON object of headers to send, such as `{"authorization":"Bearer …"}`. Absent: none are sent. */
    headersSecret: z.optional(matching(SECRET, HEADERS_SECRET)),
    /** Whether spans have what callers and models said, as far as the log keeps it in full (`logging.bodies`). @default false */
    content: z.optional(flag),
  },
  'must be an object of settings, such as { endpoint: URL }',
);

/** Receives alerts of usage limits. Names as CreateEventBus takes them (Amazon EventBridge API Reference). */
export const alertEventBus = matching(
  /^(?:arn:aws[a-z-]*:events:[a-z0-9-]+:[0-9]{12}:event-bus\/)?[A-Za-z0-9._-][A-Za-z0-9._/-]{0,255}$/,
  EVENT_BUS,
);

/** A custom domain. The certificate is in ACM, in the region of the stage. */
export const domain = members(
  {
    name: hostName(
      'must be a host name in lower case such as neurons.example.com, without https:// and path',
    ),
    certificateArn: arn(
      'acm',
      'certificate/[0-9a-f-]{36}',
      "must be the ARN of an ACM certificate in the stage's region, arn:aws:acm:REGION:ACCOUNT:certificate/ID",
    ),
    /** Gets an alias record for the name. Absent: point the name to the output `DomainTarget` yourself. */
    hostedZone: z.optional(
      members(
        {
          id: matching(HOSTED_ZONE, 'must be the id of a hosted zone, such as Z0123456789ABC'),
          name: hostName('must be the name of the hosted zone, such as example.com'),
        },
        'must be { id: Z…, name: example.com }',
      ),
    ),
  },
  'must be { name, certificateArn }',
);

const WEB_ACL = 'must be the ARN of a Regional web ACL, arn:aws:wafv2:REGION:ACCOUNT:regional/webacl/NAME/ID';
const ONE_FIREWALL = 'must be either { webAclArn: … } or { requestsPerAddress: N }';

/** AWS WAF in front of the API: an existing web ACL, or one of the stage's own. */
export const firewall = z.union(
  [
    z.strictObject({
      webAclArn: arn('wafv2', 'regional/webacl/[A-Za-z0-9_-]{1,128}/[0-9a-f-]{36}', WEB_ACL),
    }),
    z.strictObject({
      /** Within five minutes; WAF's minimum is 10. */
      requestsPerAddress: integer(10, 2_000_000_000),
      /** Writes a line for each blocked request to a log group, without credentials. @default false */
      logs: z.optional(flag),
    }),
  ],
  { error: ONE_FIREWALL },
);

const PROVIDER_HOST =
  'must be a host in lower case and ASCII such as api.openai.com, or *.openai.azure.com for the hosts below it, without https://, port and path';
const PROVIDER_HOSTS = 'must be a list of hosts, such as [api.openai.com]; leave it out to allow each';

/** Hosts that providers may have. All of them are in a variable of a function, of which Lambda takes 4 KB in all. */
export const providerHosts = z
  .array(z.string({ error: PROVIDER_HOST }).check(z.refine(isHostPattern, { error: PROVIDER_HOST })), {
    error: PROVIDER_HOSTS,
  })
  .check(
    z.minLength(1, { error: PROVIDER_HOSTS }),
    z.refine((hosts) => hosts.join().length <= 1500, {
      error: 'must be at most 1500 characters in all; use *.DOMAIN for hosts of one domain',
    }),
  );

/** Execution environments kept initialized, and paid for while idle. */
export const provisionedConcurrency = members(
  { authorizer: integer(1, 100_000), execution: integer(1, 100_000) },
  'must be { authorizer: N, execution: N }',
);

/** How a deployment moves calls to new versions of authorizer and execution; both go back when answers fail. */
export const canary = z.enum(['10PERCENT_5MINUTES', '10PERCENT_15MINUTES', '10PERCENT_30MINUTES'], {
  error: 'must be 10PERCENT_5MINUTES, 10PERCENT_15MINUTES or 10PERCENT_30MINUTES',
});

const BUCKET = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;
const HEADS_BUCKET = 'must be the name of a bucket without dots, 3 to 63 characters of a-z, 0-9 and -';

/** Writes the heads of the log's seals every hour: to CloudWatch Logs, and to a bucket where one is named. */
export const logHeads = members(
  {
    /** In any account; its Object Lock and default retention keep what is written from being changed. */
    bucket: z.optional(matching(BUCKET, HEADS_BUCKET)),
    /** The KMS key of the bucket's default encryption. Absent: the bucket encrypts with S3's own key (SSE-S3). */
    keyArn: z.optional(kmsKeyArn),
  },
  'must be an object of settings, such as {} or { bucket: NAME }',
);

/** Each has up to 63 characters and its days. */
const MAX_ARCHIVED_ORGANIZATIONS = 30;
const ARCHIVED_ORGANIZATIONS = 'must be an object of durations by organization, such as { acme: 3650d }';

/** Archives the log every day in a bucket with Object Lock. */
export const archive = members(
  {
    /** In the stage's region and any account, with versioning and Object Lock. */
    bucket: matching(BUCKET, HEADS_BUCKET),
    /** The KMS key of the bucket's default encryption. Absent: the bucket encrypts with S3's own key (SSE-S3). */
    keyArn: z.optional(kmsKeyArn),
    /** `compliance`: nobody can shorten it, the account's root user neither. @default governance */
    mode: z._default(
      z.enum(['governance', 'compliance'], { error: 'must be governance or compliance' }),
      'governance',
    ),
    /** How long an object is locked from the day on that it is written. @default 400d */
    retention: z._default(duration('1d', '36500d'), 400 * 86_400_000),
    /** The retention of single organizations, by slug. */
    organizations: z.optional(
      z.record(slug, duration('1d', '36500d'), { error: ARCHIVED_ORGANIZATIONS }).check(
        z.refine((own) => Object.keys(own).length <= MAX_ARCHIVED_ORGANIZATIONS, {
          error: `must name at most ${MAX_ARCHIVED_ORGANIZATIONS} organizations, since a function's variables have 4 KB`,
        }),
      ),
    ),
  },
  'must be an object of settings, such as { bucket: NAME }',
);

const AUTHORS = 'must be an object of lists of organizations, such as { shopTeam: [shop] }';
const AUTHORS_NAME = 'must name groups of 1 to 32 letters and digits that begin with a-z, such as shopTeam';

/** A managed policy has 6,144 characters. Each slug is in it twice, as `"ORG#SLUG",` and `"CHANGES#SLUG",`, beside some 1,700 of the rest. */
const MAX_AUTHOR_CHARACTERS = 4300;
const CHARACTERS_BESIDE_SLUGS = '"ORG#",'.length + '"CHANGES#",'.length;

/** Managed policies of the roles of docs/rights.md, as outputs of the stack. */
export const managedPolicies = members(
  {
    /** Authors of some organizations only: a policy for each group. */
    authors: z.optional(
      z.record(
        matching(/^[a-z][A-Za-z0-9]{0,31}$/, AUTHORS_NAME),
        z.array(slug, { error: AUTHORS }).check(
          z.minLength(1, { error: 'must name at least one organization; AuthorPolicy is for all' }),
          z.refine(
            (slugs) =>
              slugs.reduce((sum, one) => sum + 2 * one.length + CHARACTERS_BESIDE_SLUGS, 0) <=
              MAX_AUTHOR_CHARACTERS,
            { error: 'must fit one policy of 6,144 characters; split it into two groups' },
          ),
        ),
        { error: AUTHORS },
      ),
    ),
  },
  'must be an object of settings, such as {} or { authors: { shopTeam: [shop] } }',
);

/** Settings files that must be valid for the stage to be deployed: a file, or a folder with .yaml files. */
export const neurons = z
  .string({ error: 'must be a path of settings files, such as settings/' })
  .check(z.minLength(1, { error: 'must be a path of settings files, such as settings/' }));

/** A sampling rule for the requests of the stage. */
export const xray = members(
  {
    /** A share of the requests beyond those of `perSecond`. */
    percent: decimal(0, 100),
    /** Requests of each second that are traced in any case. */
    perSecond: z._default(integer(0, 1_000), 0),
  },
  'must be { percent, perSecond? }',
);
