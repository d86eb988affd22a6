// The checks of the preflight: what would make the first deployment of a stage fail, and what to do about it.
import { explainBlockingError } from '../../cli/output/aws-failures.ts';
import type { Stage } from '../../lib/config/config.ts';
import { totalReserved } from '../../lib/config/reserved.ts';
import type { Account, Concurrency, StackState, Throttle } from './account.ts';
import type { CheckResult } from './check-result.ts';
import { checkIndexes, checkLogGroups } from './upgrade-checks.ts';

/** Lambda keeps this many for functions without a reservation (lambda/latest/dg/configuration-concurrency.html). */
const UNRESERVED = 100;

/** Required by the templates of the CDK's default synthesizer. */
const BOOTSTRAP_VERSION = 6;

/** Nothing can be read: no credentials, no region, no network. */
class Unreadable extends Error {}

/**
 * Runs every check. One whose facts cannot be read is `unknown`, so that one missing permission hides no other result. An error that
 * every check would get ends them and is reported once.
 */
export async function checkAccount(stage: Stage, account: Account): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  try {
    for await (const result of runChecks(stage, account)) results.push(result);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    results.push({
      severity: 'unknown',
      text: `The account cannot be read: ${error.message}`,
      remedy:
        'Check the credentials (AWS_PROFILE or --profile), the region (AWS_REGION or --region) and the network.',
    });
  }
  return results;
}

async function* runChecks(stage: Stage, account: Account): AsyncGenerator<CheckResult> {
  const stacks = new Map<string, StackState | undefined>();
  const api = `NeuronApi-${stage.name}`;
  const data = `NeuronData-${stage.name}`;
  for (const name of [data, api]) {
    yield await attempt(`the stack ${name}`, async () => {
      stacks.set(name, await account.readStack(name));
      return checkStack(name, stacks.get(name));
    });
  }
  // A stack that could not be read counts as absent: the checks of a first deployment are the stricter ones.
  const isFirst = isEmpty(stacks.get(api));
  const checks: readonly (readonly [string, () => Promise<CheckResult>])[] = [
    [
      "Lambda's concurrency quota",
      async () => checkConcurrency(stage, await account.readConcurrency(), isFirst),
    ],
    ['the CDK bootstrap', async () => checkBootstrap(await account.readBootstrapVersion())],
    ["API Gateway's log role", async () => checkLogRole(stage, await account.readLogRole(), isFirst)],
    ['secrets', async () => checkSecrets(stage, account, isFirst)],
    ['the domain', async () => checkDomain(stage, account, isFirst)],
    ["Lambda's memory quota", async () => checkMemory(stage, (await account.readConcurrency()).quota)],
    ["API Gateway's throttle", async () => checkThrottle(stage, await account.readThrottle())],
    ['log groups', async () => checkLogGroups(stage, api, account)],
    ['indexes', async () => checkIndexes(data, account)],
  ];
  for (const [subject, check] of checks) yield await attempt(subject, check);
}

/** True where no resource of the stack exists: it was never deployed, or its first deployment was rolled back. */
function isEmpty(stack: StackState | undefined): boolean {
  return stack === undefined || /^(?:ROLLBACK_COMPLETE|REVIEW_IN_PROGRESS)$/.test(stack.status);
}

async function attempt(subject: string, check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await check();
  } catch (error) {
    const everyCall = explainBlockingError(error as Error);
    if (everyCall !== undefined) throw new Unreadable(everyCall);
    const { name, message } = error as Error;
    return {
      severity: 'unknown',
      text: `Not checked: ${subject} (${name}: ${message}).`,
      remedy: 'Run it with credentials that may read it, or look in the console.',
    };
  }
}

/** States in which CloudFormation accepts only the deletion of the stack. */
const STUCK = /^(?:ROLLBACK_COMPLETE|ROLLBACK_FAILED|CREATE_FAILED|DELETE_FAILED)$/;

function checkStack(name: string, stack: StackState | undefined): CheckResult {
  if (stack === undefined) return { severity: 'ok', text: `${name} does not exist yet.` };
  const { status, terminationProtection } = stack;
  const text = `${name} is in the state ${status}`;
  if (STUCK.test(status)) {
    const unprotect = `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`;
    const remove = `aws cloudformation delete-stack --stack-name ${name}`;
    return {
      severity: 'error',
      text: `${text}: it can only be deleted.`,
      remedy: [...(terminationProtection ? [unprotect] : []), remove].join(' && '),
    };
  }
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    return {
      severity: 'error',
      text: `${text}: an update failed, and so did its rollback.`,
      remedy: `Remove the cause that its events name, then: aws cloudformation continue-update-rollback --stack-name ${name}`,
    };
  }
  if (status.endsWith('_IN_PROGRESS')) {
    return status === 'REVIEW_IN_PROGRESS'
      ? { severity: 'ok', text: `${text}: a change set was made and never run.` }
      : { severity: 'error', text: `${text}.`, remedy: 'Wait until it ends.' };
  }
  return { severity: 'ok', text: `${text}.` };
}

function checkConcurrency(stage: Stage, { quota, unreserved }: Concurrency, isFirst: boolean): CheckResult {
  const needed = totalReserved(stage);
  // An existing stack already holds reservations, so only the whole quota can be compared.
  const free = isFirst ? unreserved : quota;
  const text = `Lambda's quota is ${quota} concurrent executions, ${unreserved} of them unreserved; the stage reserves ${needed}`;
  if (needed > 0 && free - needed < UNRESERVED) {
    return {
      severity: 'error',
      text: `${text}, and ${UNRESERVED} must stay unreserved.`,
      remedy: `Lower reservedConcurrency in the file of the stage, or ask for more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${quota - free + needed + UNRESERVED}`,
    };
  }
  if (quota < UNRESERVED) {
    return {
      severity: 'warning',
      text: `${text}: a new account's quota, which every call that runs at the same time uses up.`,
      remedy: `Ask for more before callers come: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000`,
    };
  }
  return { severity: 'ok', text: `${text}.` };
}

function checkBootstrap(version: number | undefined): CheckResult {
  if (version !== undefined && version >= BOOTSTRAP_VERSION)
    return { severity: 'ok', text: `The CDK bootstrap has version ${version}.` };
  const text =
    version === undefined
      ? 'The region has no CDK bootstrap.'
      : `The CDK bootstrap has version ${version}; the templates need ${BOOTSTRAP_VERSION}.`;
  return { severity: 'error', text, remedy: 'npx cdk bootstrap' };
}

function checkLogRole({ accountLogRole }: Stage, role: string | undefined, isFirst: boolean): CheckResult {
  if (!accountLogRole && role === undefined) {
    return {
      severity: 'error',
      text: 'API Gateway has no role for logs in this region, and refuses a stage that writes some.',
      remedy: 'Set accountLogRole: true in the file of the stage.',
    };
  }
  if (accountLogRole && role !== undefined && isFirst) {
    return {
      severity: 'warning',
      text: `API Gateway already writes logs with ${role}; the deployment puts a role of its own in its place for every API of the region.`,
      remedy: 'Set accountLogRole: false in the file of the stage to keep it.',
    };
  }
  return { severity: 'ok', text: `API Gateway's role for logs: ${role ?? 'the deployment sets it'}.` };
}

async function checkSecrets({ name }: Stage, account: Account, isFirst: boolean): Promise<CheckResult> {
  const prefix = `neuron/${name}/`;
  if (!isFirst || !(await account.hasSecrets(prefix)))
    return { severity: 'ok', text: `No other service uses secrets below ${prefix}.` };
  return {
    severity: 'warning',
    text: `There are secrets below ${prefix}: of a service that was removed, or of another one with the same stage name.`,
    remedy:
      'Delete those of a removed service. Beside another service choose another name for the stage: the functions of both could read both.',
  };
}

async function checkDomain({ domain }: Stage, account: Account, isFirst: boolean): Promise<CheckResult> {
  if (domain === undefined) return { severity: 'ok', text: 'The stage has no domain.' };
  if (!isFirst || !(await account.hasDomain(domain.name)))
    return { severity: 'ok', text: `The domain ${domain.name} is free.` };
  return {
    severity: 'error',
    text: `API Gateway already has the domain ${domain.name} in this region.`,
    remedy:
      'Delete it, choose another name, or pass the existing domain to NeuronService in an app of your own.',
  };
}

/** Concurrency of an account whose quotas are not those of a new one (lambda/latest/dg/gettingstarted-limits.html). */
const FULL_CONCURRENCY = 1000;

/** Memory of a function in a new account. AWS raises it with use, and has no API that reads it. */
const NEW_ACCOUNT_MEGABYTES = 3008;

/** A new account has "reduced concurrency and memory quotas", and the former can be read. */
function checkMemory({ memoryMegabytes }: Stage, concurrencyQuota: number): CheckResult {
  const text = `Each function of the stage has ${memoryMegabytes} MB of memory`;
  if (memoryMegabytes <= NEW_ACCOUNT_MEGABYTES || concurrencyQuota >= FULL_CONCURRENCY)
    return { severity: 'ok', text: `${text}.` };
  return {
    severity: 'warning',
    text: `${text}. The concurrency quota of ${concurrencyQuota} is a new account's, where Lambda may refuse more than ${NEW_ACCOUNT_MEGABYTES} MB; no API tells its memory quota.`,
    remedy: `Set memoryMegabytes to at most ${NEW_ACCOUNT_MEGABYTES} in the file of the stage, or ask AWS Support for the full memory quota of Lambda first.`,
  };
}

/** The account's rate is for all APIs of the region together (apigateway/latest/developerguide/limits.html). */
function checkThrottle({ throttle, peak }: Stage, account: Throttle): CheckResult {
  const { requestsPerSecond, burst } = account;
  const quota = `API Gateway's throttle of the account is ${requestsPerSecond} requests a second with a burst of ${burst}, for all APIs of the region`;
  const isFast = throttle.requestsPerSecond > requestsPerSecond;
  if (!isFast && throttle.burst <= burst) return { severity: 'ok', text: `${quota}.` };
  const cause = peak === undefined ? 'throttle' : 'throttle, which its peak gives,';
  const raise = `aws service-quotas request-service-quota-increase --service-code apigateway --quota-code L-8A5B8E43 --desired-value ${throttle.requestsPerSecond}`;
  return {
    severity: 'warning',
    text: `${quota}. The stage's ${cause} is ${throttle.requestsPerSecond} with a burst of ${throttle.burst}: callers get 429 before that.`,
    remedy: isFast
      ? `Ask for more: ${raise}. Or lower ${peak === undefined ? 'throttle' : 'peak'} in the file of the stage.`
      : `Set throttle.burst to at most ${burst} in the file of the stage: AWS sets the burst by the rate, and takes no request for it.`,
  };
}
