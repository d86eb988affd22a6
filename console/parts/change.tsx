// A change: a button, a dialog that confirms it, and its result.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CommandResult } from '../../cli/console/api.ts';
import { type ConsoleError, type Parameters, send } from '../data/api.ts';
import { toConsoleError } from '../data/use-query.ts';
import { Form } from './field.tsx';
import { CommandLine } from './layout.tsx';
import { Failure, Notes } from './state.tsx';

/** The button of a dialog that only shows something. */
export function CloseButton({ onClose }: { readonly onClose: () => void }) {
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={onClose}>
        Close
      </button>
    </div>
  );
}

/** A modal dialog that closes with Escape. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

interface ChangeProps<Value> {
  /** Text of the button, and of the one that confirms. */
  readonly label: string;
  readonly title: string;
  readonly operation: string;
  readonly parameters: Parameters;
  /** Description of the change, and fields. */
  readonly children: ComponentChildren;
  /** Called when the dialog with the result is closed. The component that opened it may be removed then. */
  readonly onDone: () => void;
  readonly show?: ((value: Value, all: readonly Value[], more: boolean) => ComponentChildren) | undefined;
  readonly danger?: boolean;
  readonly primary?: boolean;
  readonly isReady?: boolean;
}

export function ChangeButton<Value>(props: ChangeProps<Value>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class={props.danger ? 'danger' : props.primary ? 'primary' : ''}
        onClick={() => setOpen(true)}
      >
        {props.label}
      </button>
      {isOpen && <ChangeDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function ChangeDialog<Value>({
  label,
  title,
  operation,
  parameters,
  children,
  onDone,
  show,
  danger,
  isReady = true,
  onClose,
}: ChangeProps<Value> & { readonly onClose: () => void }) {
  const [error, setError] = useState<ConsoleError>();
  const [isRunning, setRunning] = useState(false);
  const [result, setResult] = useState<CommandResult<Value>>();
  const run = async () => {
    setRunning(true);
    setError(undefined);
    try {
      const found = await send<Value>(operation, parameters);
      setResult(found);
    } catch (thrown) {
      setError(toConsoleError(thrown));
    }
    setRunning(false);
  };
  const end = () => {
    onClose();
    onDone();
  };
  if (result !== undefined) return <ChangeResult title={title} result={result} show={show} onClose={end} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => void run()}>
        {children}
        {error && <Failure error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={danger ? 'danger' : 'primary'} disabled={!isReady || isRunning}>
            {label}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

function ChangeResult<Value>({
  title,
  result,
  show,
  onClose,
}: {
  readonly title: string;
  readonly result: CommandResult<Value>;
  readonly show: ChangeProps<Value>['show'];
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p role="status">Done.</p>
      {result.values[0] !== undefined && show?.(result.values[0], result.values, result.more)}
      <Notes {...result} />
      <CommandLine command={result.command} />
      <CloseButton onClose={onClose} />
    </Dialog>
  );
}
