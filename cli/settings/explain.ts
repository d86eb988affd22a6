// `neuron explain`: shows what access control decides for a caller, and why, without a call.
import { explain as explainSettings } from '../../core/admin/explain/explain.ts';
import { addressOption, NEURON } from '../command/arguments.ts';
import { command, option } from '../command/command.ts';
import { type ClosedState, readClosedState } from '../controls/closed-state.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { renderTarget } from '../session/target.ts';
import { type ProvidedToken, readProvidedToken } from '../session/token.ts';
import { readAccess } from './access-settings.ts';
import { decideWithToken, type TokenCaller } from './decide-with-token.ts';
import { explainApplied } from './explain-applied.ts';
import { listNames, renderExplained, toListedDecisions } from './explanation-view.ts';

interface ExplainArguments extends TokenCaller {
  readonly token: ProvidedToken | undefined;
  /** The file of the settings; undefined for the applied ones. */
  readonly file: string | undefined;
  /** Also undefined where only a file was read. */
  readonly closed: ClosedState | undefined;
}

export const explain = command({
  name: 'explain',
  arguments: { target: NEURON },
  options: {
    referer: option('--referer <url>', 'Referer header of the caller (default: none)'),
    origin: option(
      '--origin <origin>',
      'Origin header of the caller, which browsers add to every call of a page (default: none)',
    ),
    ip: addressOption('IP address of the caller (default: unknown, which matches no list)'),
    tokenFile: option('--token-file <path>', 'file with an API key or JWT; - reads standard input'),
    file: option('--file <path>', 'settings file to explain instead of the applied settings'),
  },
  help: [
    'A token from NEURON_TOKEN or --token-file is verified with your own permission to read keys, secrets and JWKS endpoints. Of a JWT, only the names of its members are shown.',
    'Without a token, the output shows the decision for a caller without a credential and for one with a valid credential.',
  ].join('\n'),
  async run({ target, referer, origin, ip, tokenFile, file }, session) {
    const token = await readProvidedToken(tokenFile, session.terminal);
    const settings = await readAccess(target, file, token !== undefined, session);
    const ports = token === undefined && file !== undefined ? undefined : await session.connect();
    const closed = ports && (await readClosedState(ports.store, target.organization, ports.clock.now()));
    const args = { target, referer, origin, ip, token, settings, file, closed };
    await printExplanation({ args, ports, out: session.out });
  },
});

/** `ports` are absent where a file is explained without a token. */
async function printExplanation({
  args,
  ports,
  out,
}: {
  readonly args: ExplainArguments;
  readonly ports:
    | Pick<Ports, 'keyReader' | 'openJwt' | 'clock' | 'store' | 'stack' | 'secretReader'>
    | undefined;
  readonly out: Output;
}): Promise<void> {
  const { target, token, file } = args;
  const explanation =
    token === undefined || ports === undefined
      ? await explainSettings(args.settings, toCaller(args))
      : {
          anonymous: await decideWithToken(token, args, ports),
          withApiKey: undefined,
          withJwt: undefined,
        };
  const settings = file === undefined ? 'as applied' : `as in ${file}`;
  const caller = token === undefined ? '' : `, with the token from ${token.source}`;
  out.message(`${renderTarget(target)} ${settings}${caller}:`);
  const names = listNames(token);
  const applied =
    ports === undefined || file !== undefined
      ? undefined
      : await explainApplied(args, explanation.anonymous, ports);
  const value = {
    neuron: renderTarget(target),
    file: file ?? null,
    referer: args.referer ?? null,
    origin: args.origin ?? null,
    ip: args.ip ?? null,
    closed: args.closed ?? null,
    ...(names === undefined ? {} : { token: names }),
    decisions: toListedDecisions(explanation, token !== undefined),
    ...applied?.value,
  };
  const texts = [renderExplained(explanation, names, args.closed), ...(applied?.texts ?? [])];
  out.value(value, texts.join('\n'));
}

function toCaller({ referer, origin, ip }: ExplainArguments) {
  return {
    ...(referer === undefined ? {} : { referer }),
    ...(origin === undefined ? {} : { origin }),
    ...(ip === undefined ? {} : { ip }),
  };
}
