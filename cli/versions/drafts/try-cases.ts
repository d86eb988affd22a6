// `neuron versions try --cases`: the same cases on a draft and on the deployed version.
import { EXIT, type ExitCode } from '../../output/failure.ts';
import type { Session } from '../../session/session.ts';
import { type NeuronTarget, renderTarget } from '../../session/target.ts';
import { renderReport } from '../../tests/view.ts';
import { findDeployment, openTried } from './open-neuron.ts';
import { splitPiped } from './piped.ts';
import { readCases } from './read-cases.ts';
import { type LabelledNeuron, runCases } from './run-cases.ts';

const DEFAULT_CASES = 10;

interface CasesOptions {
  readonly id: string | undefined;
  readonly flow: string | undefined;
  /** A file, or `-`. */
  readonly cases: string;
  readonly limit: number | undefined;
  readonly maxCost: number | undefined;
}

/** With `-` for both, the flow is the first document of standard input. Fails where a case of the tested side did not pass. */
export async function tryCases(
  target: NeuronTarget,
  { id, flow, cases, limit = DEFAULT_CASES, maxCost }: CasesOptions,
  session: Session,
): Promise<ExitCode> {
  const { out, terminal } = session;
  const piped =
    flow === '-' && cases === '-' ? await splitPiped(terminal) : { flow: terminal, cases: terminal };
  const documents = await readCases(renderTarget(target), { path: cases, limit }, piped.cases);
  const tried = await openTried(target, { id, flow }, { ...session, terminal: piped.flow });
  const neurons: LabelledNeuron[] = [{ label: tried.version ?? 'draft', neuron: tried.neuron }];
  const deployed = await findDeployment(target, session);
  if (deployed !== undefined && deployed !== tried.version) {
    const { neuron } = await openTried(target, { id: deployed, flow: undefined }, session);
    neurons.push({ label: deployed, neuron });
  }
  const report = await runCases(documents, neurons, maxCost, session);
  out.value(report, out.json ? '' : renderReport(report, out));
  return report.passed ? EXIT.done : EXIT.failed;
}
