// Says which texts and other content reach the models of a flow, so that it can be told where a guard has nothing to look at.
import type { Acceptable, Flow } from '../../settings/flow-schema.ts';
import type { Stage } from '../../settings/guards/guards-schema.ts';
import { walkFlow } from '../../settings/walk-flow.ts';

/** Content that no guard in the process can look at. */
export type UnseenKind = 'images' | 'documents' | 'thoughts' | 'tokenIds';

export interface UnseenContent {
  readonly kind: UnseenKind;
  readonly stage: Stage;
}

export interface Reach {
  readonly stages: ReadonlySet<Stage>;
  readonly unseen: readonly UnseenContent[];
  /** True for a flow that answers with vectors. */
  readonly embeds: boolean;
}

/** Everything a caller may send beside the text of the last turn, and everything that may come back. */
export function reachOf(flow: Flow): Reach {
  const steps = [...walkFlow(flow)].flatMap(({ step }) => step ?? []);
  const embeds = steps.some((step) => 'embed' in step);
  const accepted = new Set(steps.flatMap((step) => ('callModel' in step ? step.callModel.accepts : [])));
  const takes = (...parts: readonly Acceptable[]) =>
    accepted.has('passThrough') || parts.some((part) => accepted.has(part));
  const stages: Readonly<Record<Stage, boolean>> = {
    input: true,
    system: takes('system'),
    toolResults: takes('tools'),
    tools: takes('tools', 'schema'),
    output: !embeds,
    toolCalls: takes('tools'),
  };
  const reached = (Object.keys(stages) as Stage[]).filter((stage) => stages[stage]);
  const ofTurns = (kind: UnseenKind): readonly UnseenContent[] => [
    { kind, stage: 'input' },
    ...(stages.toolResults ? [{ kind, stage: 'toolResults' } as const] : []),
  ];
  return {
    stages: new Set(reached),
    unseen: [
      ...(takes('images') ? ofTurns('images') : []),
      ...(takes('documents') ? ofTurns('documents') : []),
      ...(takes('thinking')
        ? ([
            { kind: 'thoughts', stage: 'input' },
            { kind: 'thoughts', stage: 'output' },
          ] as const)
        : []),
      ...(embeds ? [{ kind: 'tokenIds', stage: 'input' } as const] : []),
    ],
    embeds,
  };
}
