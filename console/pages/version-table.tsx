// The versions of a neuron, each of which can be deployed.
import type { VersionValue } from '../data/values.ts';
import { ChangeButton } from '../parts/change.tsx';
import { Badge, Card } from '../parts/layout.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

export function VersionTable({
  neuron,
  versions,
  onChange,
}: {
  readonly neuron: string;
  /** Newest first. */
  readonly versions: readonly VersionValue[];
  readonly onChange: () => void;
}) {
  const deployed = versions.findIndex((one) => one.deployed);
  return (
    <Card title="Versions" wide>
      <Table<VersionValue>
        label="Versions"
        rows={versions}
        keyOf={({ version }) => version}
        columns={[
          {
            head: 'Version',
            cell: (one) => (
              <>
                <b>{one.version}</b> {one.deployed && <Badge tone="good">deployed</Badge>}
              </>
            ),
          },
          {
            head: 'Created (UTC)',
            shown: 'medium',
            cell: ({ createdAt }) => <Time timeMs={Date.parse(createdAt)} brief />,
          },
          { head: 'By', shown: 'wide', cell: ({ author }) => <Line text={author} /> },
          { head: 'Message', shown: 'medium', cell: ({ message }) => <Line text={message ?? '–'} /> },
          {
            head: 'Action',
            align: 'right',
            cell: (one) =>
              !one.deployed && (
                <DeployButton
                  neuron={neuron}
                  version={one.version}
                  isRollback={deployed !== -1 && versions.indexOf(one) > deployed}
                  instead={versions[deployed]?.version}
                  onChange={onChange}
                />
              ),
          },
        ]}
      />
    </Card>
  );
}

/** Deploying an older version is a rollback. */
function DeployButton({
  neuron,
  version,
  isRollback,
  instead,
  onChange,
}: {
  readonly neuron: string;
  readonly version: string;
  readonly isRollback: boolean;
  readonly instead: string | undefined;
  readonly onChange: () => void;
}) {
  return (
    <ChangeButton
      label={isRollback ? 'Roll back' : 'Deploy'}
      title={`${isRollback ? 'Roll back to' : 'Deploy'} ${version}`}
      operation="deploy"
      given={{ neuron, version }}
      onDone={onChange}
    >
      <p>
        Callers of {neuron} get {version} {instead === undefined ? '' : `in place of ${instead}`}. The
        response cache starts empty.
      </p>
    </ChangeButton>
  );
}
