// Exports what is kept of a person as a file of JSON, which is made in the memory of the page.
import { useEffect, useMemo } from 'preact/hooks';
import { ChangeButton } from '../../parts/change.tsx';

interface ExportProps {
  readonly organization: string;
  readonly user: string;
}

export function ExportPerson({ organization, user }: ExportProps) {
  return (
    <ChangeButton<string>
      label="Export"
      title="Export what is kept"
      operation="exportPerson"
      parameters={{ organization, user }}
      onDone={() => undefined}
      show={(_first, lines, more) =>
        more ? (
          <p>
            It is too much for a page, and nothing of it can be saved here. Run the command below in a
            terminal.
          </p>
        ) : (
          <SaveFile organization={organization} lines={lines} />
        )
      }
    >
      <p>
        A file of JSON with every item in full, texts included. The log of changes records the export, with a
        digest in place of the name.
      </p>
    </ChangeButton>
  );
}

function SaveFile({
  organization,
  lines,
}: Pick<ExportProps, 'organization'> & { readonly lines: readonly string[] }) {
  const address = useMemo(() => {
    const text = `[\n${lines.map((line) => line.trimEnd()).join(',\n')}\n]\n`;
    return URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  }, [lines]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  const day = new Date().toISOString().slice(0, 10);
  return (
    <p>
      <a href={address} download={`person-${organization}-${day}.json`}>
        Save the file
      </a>
      . It has {lines.length - 1} items, and a summary.
    </p>
  );
}
