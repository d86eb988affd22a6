// Lists the versions of a neuron, deploys them and creates preview keys.
import { pathTo } from '../data/paths.ts';
import { storePreviewKey } from '../data/preview-keys.ts';
import type { VersionValue } from '../data/values.ts';
import { ChangeButton } from '../parts/change.tsx';
import { Badge, Card, CommandLine } from '../parts/layout.tsx';
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
                <b>{one.version}</b> {one.deployed && <Badge tone="good">deployed</Badge>}{' '}
                {one.previewKey && <Badge>preview key</Badge>}
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
            cell: (one) => (
              <span class="actions">
                <PreviewKeyButton neuron={neuron} value={one} onChange={onChange} />
                {!one.deployed && (
                  <DeployButton
                    neuron={neuron}
                    version={one.version}
                    isRollback={deployed !== -1 && versions.indexOf(one) > deployed}
                    instead={versions[deployed]?.version}
                    onChange={onChange}
                  />
                )}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** A version can be called with its preview key before it is deployed. */
function PreviewKeyButton({
  neuron,
  value: { version, previewKey },
  onChange,
}: {
  readonly neuron: string;
  readonly value: VersionValue;
  readonly onChange: () => void;
}) {
  return (
    <ChangeButton<{ readonly previewKey: string }>
      label={previewKey ? 'New preview key' : 'Preview key'}
      title={`Create a preview key for ${version}`}
      operation="previewKey"
      parameters={{ neuron, version }}
      onDone={onChange}
      show={({ previewKey: key }) => <NewPreviewKey neuron={neuron} version={version} value={key} />}
    >
      <p>
        Whoever has the key can call {version} of {neuron}, deployed or not.{' '}
        {previewKey && <b>The key that it has is no longer valid then.</b>}
      </p>
    </ChangeButton>
  );
}

function NewPreviewKey({
  neuron,
  version,
  value,
}: {
  readonly neuron: string;
  readonly version: string;
  readonly value: string;
}) {
  storePreviewKey(neuron, version, value);
  const [organization = '', slug = ''] = neuron.split('/');
  return (
    <>
      <p>
        <b>This is the only time the key is shown.</b> This page knows it until it is reloaded:{' '}
        <a href={pathTo(organization, 'playground', { neuron: slug, revision: version })}>
          try {version} in the playground
        </a>
        .
      </p>
      <CommandLine command={value} plain />
    </>
  );
}

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
      parameters={{ neuron, version }}
      onDone={onChange}
    >
      <p>
        Callers of {neuron} get {version} {instead === undefined ? '' : `in place of ${instead}`}. The
        response cache starts empty.
      </p>
    </ChangeButton>
  );
}
