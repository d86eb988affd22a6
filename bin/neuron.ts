// The command `neuron`.
import { main } from '../cli/main.ts';
import { openSession } from '../cli/open-session.ts';
import { createProcessTerminal } from '../cli/process-terminal.ts';

process.exitCode = await main(process.argv.slice(2), createProcessTerminal(), openSession);
