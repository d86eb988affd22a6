// Flattens Portkey's nested targets into what a step of a flow has: targets with weights, and fallbacks in their order.
import type { Note } from '../write-imported.ts';
import type { Call, PortkeyConfig } from './config.ts';

export interface Plan {
  readonly weighted: readonly { readonly leaf: Call; readonly weight: number }[];
  readonly fallbacks: readonly Call[];
}

/** Members that targets take from the configuration around them (Portkey's src/handlers/handlerUtils.ts). */
const INHERITED = ['retry', 'cache', 'custom_host', 'request_timeout'] as const;

export function inherit(around: PortkeyConfig, target: PortkeyConfig): PortkeyConfig {
  const own = { ...target };
  for (const name of INHERITED)
    if (own[name] == null && around[name] != null) Object.assign(own, { [name]: around[name] });
  const params = { ...around.override_params, ...target.override_params };
  return Object.keys(params).length === 0 ? own : { ...own, override_params: params };
}

export function planOf(config: PortkeyConfig, note: Note): Plan {
  const { targets, strategy, ...leaf } = config;
  if (targets == null || targets.length === 0) return { weighted: [{ leaf, weight: 1 }], fallbacks: [] };
  const inner = targets.map((target) => planOf(inherit(config, target), note));
  const [first, ...others] = inner;
  if (first === undefined) return { weighted: [], fallbacks: [] };
  if (strategy?.mode === 'loadbalance') return balance(targets, inner, note);
  if (strategy?.mode !== 'fallback') {
    if (strategy?.mode === 'conditional')
      note('strategy.conditions', 'conditions inside of another strategy: its first target is called');
    return first;
  }
  if (others.some(({ weighted }) => weighted.length > 1))
    note('targets', 'a fallback that balances several targets: they are asked one after the other');
  return {
    weighted: first.weighted,
    fallbacks: [...first.fallbacks, ...others.flatMap(leavesOf)],
  };
}

function balance(targets: readonly PortkeyConfig[], inner: readonly Plan[], note: Note): Plan {
  const weighted = inner.flatMap((plan, index) => {
    const total = plan.weighted.reduce((sum, { weight }) => sum + weight, 0);
    const own = targets[index]?.weight ?? 1;
    return plan.weighted.map(({ leaf, weight }) => ({ leaf, weight: (own * weight) / total }));
  });
  const fallbacks = inner.flatMap((plan) => plan.fallbacks);
  if (fallbacks.length > 0)
    note('targets', 'a fallback of one balanced target: it is the fallback of all of them');
  // A target of weight 0 is never drawn.
  return { weighted: weighted.filter(({ weight }) => weight > 0), fallbacks };
}

function leavesOf({ weighted, fallbacks }: Plan): readonly Call[] {
  return [...weighted.map(({ leaf }) => leaf), ...fallbacks];
}
