// Limits of API keys as text: `cost 50 month`, with cost in dollars.
import { InvalidArgumentError } from 'commander';
import type { KeyLimits } from '../../core/ports/keys.ts';
import { keyLimitSchema } from '../../core/settings/usage-limits.ts';

const FORM = "'METRIC LIMIT PERIOD [SHARE%,…]', such as 'requests 60 minute' or 'cost 50 month 80%,100%'";

/** Parses one `--limit` and adds it to those before it. Throws `InvalidArgumentError`. */
export function collectLimits(text: string, before: KeyLimits | undefined): KeyLimits {
  const [metric, amount = '', period, shares, ...others] = text.trim().split(/\s+/);
  const limit = /^\d+(?:\.\d+)?$/.test(amount) ? Number(amount) : undefined;
  const isForm = others.length === 0 && (shares === undefined || SHARES.test(shares));
  const alertAt = shares
    ?.split('%')
    .flatMap((share) => (share === '' ? [] : [Number(share.replace(',', ''))]));
  const { data, error } = keyLimitSchema.safeParse({ metric, limit, period, alertAt });
  if (data === undefined || !isForm) {
    const [issue] = error?.issues ?? [];
    const what = issue?.path[0];
    const rule = what === 'metric' ? 'must be requests, tokens or cost' : issue?.message;
    throw new InvalidArgumentError(
      what === undefined || limit === undefined || !isForm
        ? `It must be ${FORM}.`
        : `Its ${String(what)} ${rule}: ${FORM}.`,
    );
  }
  const limits = before ?? [];
  if (limits.some((one) => one.metric === data.metric && one.period === data.period))
    throw new InvalidArgumentError(
      `There are two limits of ${data.metric} per ${data.period}. Pass one of them.`,
    );
  return [...limits, data];
}

/** `80%,100%` */
const SHARES = /^\d{1,3}%(?:,\d{1,3}%)*$/;

/** `cost 50 month 80%,100%, requests 1000 day`: each as `--limit` takes it. */
export function renderLimits(limits: KeyLimits): string {
  const amountOf = ({ metric, limit }: KeyLimits[number]) => (metric === 'cost' ? limit / 1_000_000 : limit);
  const sharesOf = ({ alertAt = [] }: KeyLimits[number]) =>
    alertAt.length === 0 ? '' : ` ${alertAt.map((share) => `${share}%`).join(',')}`;
  return limits.map((one) => `${one.metric} ${amountOf(one)} ${one.period}${sharesOf(one)}`).join(', ');
}
