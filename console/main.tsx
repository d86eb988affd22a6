// Starts the page of `neuron console`.
import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './data/theme.ts';
import 'uplot/dist/uPlot.min.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import './style/pages.css';

applyTheme();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
