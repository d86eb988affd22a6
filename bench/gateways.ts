// Compares the local stack with other gateways in front of the same mock provider: added latency, CPU, calls a second.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { chat, end, type Gateway, JSON_TYPE } from './gateways/gateway.ts';
import { type Load, load, type Target } from './gateways/load.ts';
import { startLocalStack } from './gateways/local-stack.ts';
import { startLiteLlm, startPortkey } from './gateways/peers.ts';
import { cpuBetween, readProcesses } from './gateways/processes.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

export const KILOBYTES = [1, 100, 800] as const;
const WARM_UP_MS = 5_000;
const ALONE_MS = 3_000;
const TOGETHER_MS = 5_000;

/** One gateway in one round. */
interface Round {
  /** With one caller, by the size of the question: milliseconds added to a call of the provider itself. */
  readonly added: Readonly<Record<number, { readonly p50: number; readonly p99: number }>>;
  /** With 8 callers, by kind of call: milliseconds of CPU of a call, by process. */
  readonly cpu: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** With 32 callers. */
  readonly perSecond: number;
}

/** One gateway's figures, or the reason why there are none. */
export interface GatewayFigures {
  readonly name: string;
  readonly rounds: readonly Round[];
  readonly missing?: string;
}

/** Names the kind of calls of a size, beside a gateway's other kinds. */
export const sizeName = (kilobytes: number): string => `${kilobytes} KB`;

type Start = (baseUrl: string) => Promise<Gateway>;

/**
 * Starts all gateways, measures them, and stops them. The first one is ours. They take turns in each round, so that other work of the
 * machine affects all of them.
 */
export async function measureGateways(rounds: number): Promise<GatewayFigures[]> {
  return withTemporaryFolder(async (folder) => {
    const provider = fork(join(import.meta.dirname, 'mock-provider.ts'));
    const gateways: (Gateway | GatewayFigures)[] = [];
    try {
      const [port] = (await once(provider, 'message')) as [number];
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      gateways.push(await startLocalStack(folder, baseUrl));
      gateways.push(await startOrReport('Portkey gateway', startPortkey, baseUrl));
      gateways.push(await startOrReport('LiteLLM', startLiteLlm, baseUrl));
      return await measureInTurns(gateways, `${baseUrl}/chat/completions`, rounds);
    } finally {
      await Promise.all(gateways.map((gateway) => ('stop' in gateway ? gateway.stop() : undefined)));
      await end(provider);
    }
  });
}

async function startOrReport(name: string, start: Start, baseUrl: string): Promise<Gateway | GatewayFigures> {
  try {
    return await start(baseUrl);
  } catch (error) {
    return { name, rounds: [], missing: (error as Error).message };
  }
}

async function measureInTurns(
  gateways: readonly (Gateway | GatewayFigures)[],
  providerUrl: string,
  rounds: number,
): Promise<GatewayFigures[]> {
  const direct = (text: string) => ({ url: providerUrl, headers: JSON_TYPE, body: chat(text) });
  const measured = gateways.map((gateway) => ({ gateway, rounds: [] as Round[] }));
  await load(direct(''), { callers: 8, ms: WARM_UP_MS / 5 });
  for (const { gateway } of measured) {
    if ('stop' in gateway) await warmUp(gateway);
  }
  for (let round = 0; round < rounds; round += 1) {
    const alone = await aloneBySize(direct);
    for (const { gateway, rounds: made } of measured) {
      if ('stop' in gateway) made.push(await measureRound(gateway, alone));
    }
  }
  return measured.map(({ gateway, rounds: made }) =>
    'stop' in gateway ? { name: gateway.name, rounds: made } : gateway,
  );
}

async function warmUp(gateway: Gateway): Promise<void> {
  await load(gateway.target('Hello'), { callers: 32, ms: WARM_UP_MS });
  for (const target of [gateway.target(makeText(800)), ...Object.values(gateway.variants)])
    await load(target, { callers: 8, ms: WARM_UP_MS / 5 });
}

async function measureRound(gateway: Gateway, direct: ReadonlyMap<number, Load>): Promise<Round> {
  const added: Record<number, { p50: number; p99: number }> = {};
  for (const [kilobytes, { p50, p99 }] of await aloneBySize((text) => gateway.target(text))) {
    const base = direct.get(kilobytes);
    added[kilobytes] = { p50: p50 - (base?.p50 ?? 0), p99: p99 - (base?.p99 ?? 0) };
  }
  const cpu: Record<string, Record<string, number>> = {};
  const sizes = KILOBYTES.map(
    (kilobytes) => [sizeName(kilobytes), gateway.target(makeText(kilobytes))] as const,
  );
  for (const [kind, target] of [...sizes, ...Object.entries(gateway.variants)])
    cpu[kind] = await measureCpuPerCall(gateway, target);
  const { perSecond } = await load(gateway.target(makeText(1)), { callers: 32, ms: TOGETHER_MS });
  return { added, cpu, perSecond };
}

async function aloneBySize(targetOf: (text: string) => Target): Promise<ReadonlyMap<number, Load>> {
  const loads = new Map<number, Load>();
  for (const kilobytes of KILOBYTES)
    loads.set(kilobytes, await load(targetOf(makeText(kilobytes)), { callers: 1, ms: ALONE_MS }));
  return loads;
}

async function measureCpuPerCall(
  { pid, nameProcess }: Gateway,
  target: Target,
): Promise<Record<string, number>> {
  const before = readProcesses(pid, nameProcess);
  const { calls } = await load(target, { callers: 8, ms: TOGETHER_MS });
  const parts = cpuBetween(before, readProcesses(pid, nameProcess));
  return Object.fromEntries(Object.entries(parts).map(([name, ms]) => [name, ms / calls]));
}

/** A question of that size. */
export function makeText(kilobytes: number): string {
  return 'All work and no play. '.repeat(Math.ceil((kilobytes * 1000) / 22)).slice(0, kilobytes * 1000);
}

if (import.meta.main) {
  const figures = await measureGateways(Number(process.argv[2] ?? 1));
  process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
}
