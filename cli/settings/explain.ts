// `neuron explain`: what access control decides for a caller and why. Runs the decision itself, without a call.
import type { Command } from 'commander';
import type { AccessSettings } from '../../core/access/settings.ts';
import { explain } from '../../core/admin/explain/explain.ts';
import { type ClosedState, readClosedState } from '../controls/closed-state.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import type { Bind, Session } from '../session/session.ts';
import { checkNeuron, type NeuronTarget, renderTarget, toNeuronTarget } from '../session/target.ts';
import { type ProvidedToken, readProvidedToken } from '../session/token.ts';
import { readAppliedAccess, readFileAccess } from './access-settings.ts';
import { decideWithToken, type TokenCaller } from './decide-with-token.ts';
import { listNames, renderExplained, toListedDecisions } from './explanation-view.ts';

interface ExplainOptions {
  readonly referer?: string;
  readonly origin?: string;
  readonly ip?: string;
  readonly tokenFile?: string;
  readonly file?: string;
}

/** The caller to explain for. */
interface ExplainArguments extends TokenCaller {
  readonly token: ProvidedToken | undefined;
  /** Where the settings are from: a file, or what is applied. */
  readonly file: string | undefined;
  /** Undefined also where only a file was read. */
  readonly closed: ClosedState | undefined;
}

export function registerExplain(program: Command, bind: Bind): void {
  program
    .command('explain')
    .description('Shows what access control decides for a caller, and why.')
    .argument('<organization/neuron>', 'the neuron', checkNeuron)
    .option('--referer <url>', 'Referer header of the caller (default: none)')
    .option(
      '--origin <origin>',
      'Origin header of the caller, which browsers add to every call of a page (default: none)',
    )
    .option('--ip <address>', 'IP address of the caller (default: unknown, which matches no list)')
    .option('--token-file <path>', 'file with an API key or JWT; - reads standard input')
    .option('--file <path>', 'settings file to explain instead of the applied settings')
    .addHelpText(
      'after',
      '\nA token from NEURON_TOKEN or --token-file is verified with your own permission to read keys, secrets and JWKS endpoints. Of a JWT, only the names of its members are shown.\nWithout a token, the output shows the decision for a caller without a credential and for one with a valid credential.',
    )
    .action(
      bind<ExplainOptions>(async (session, { args: [text], options }) => {
        const { referer, origin, ip, file } = options;
        const token = await readProvidedToken(options.tokenFile, session.terminal);
        const target = toNeuronTarget(text);
        const settings = await readSettings(target, file, token !== undefined, session);
        const ports = token === undefined && file !== undefined ? undefined : await session.connect();
        const closed = ports && (await readClosedState(ports.store, target.organization));
        const args = { target, referer, origin, ip, token, settings, file, closed };
        await explainAccess({ args, ports, out: session.out });
      }),
    );
}

/** Decides and prints. `ports` are absent where a file is explained without a token. */
async function explainAccess({
  args,
  ports,
  out,
}: {
  readonly args: ExplainArguments;
  readonly ports: Pick<Ports, 'keyReader' | 'openJwt' | 'clock'> | undefined;
  readonly out: Output;
}): Promise<void> {
  const { target, token, file } = args;
  const explanation =
    token === undefined || ports === undefined
      ? await explain(args.settings, toCaller(args))
      : {
          anonymous: await decideWithToken(token, args, ports),
          withApiKey: undefined,
          withJwt: undefined,
        };
  const settings = file === undefined ? 'as applied' : `as in ${file}`;
  const caller = token === undefined ? '' : `, with the token from ${token.source}`;
  out.message(`${renderTarget(target)} ${settings}${caller}:`);
  const names = listNames(token);
  const value = {
    neuron: renderTarget(target),
    file: file ?? null,
    referer: args.referer ?? null,
    origin: args.origin ?? null,
    ip: args.ip ?? null,
    closed: args.closed ?? null,
    ...(names === undefined ? {} : { token: names }),
    decisions: toListedDecisions(explanation, token !== undefined),
  };
  out.value(value, renderExplained(explanation, names, args.closed));
}

/** A file without a token needs no stack. */
async function readSettings(
  target: NeuronTarget,
  file: string | undefined,
  needsIds: boolean,
  { options, terminal, connect }: Session,
): Promise<AccessSettings> {
  if (file === undefined) return readAppliedAccess(target, (await connect()).store);
  const allowLoopback = options.local !== undefined;
  const store = needsIds ? (await connect()).store : undefined;
  return readFileAccess(target, { path: file, folder: terminal.folder, allowLoopback }, store);
}

function toCaller({ referer, origin, ip }: ExplainArguments) {
  return {
    ...(referer === undefined ? {} : { referer }),
    ...(origin === undefined ? {} : { origin }),
    ...(ip === undefined ? {} : { ip }),
  };
}
