import { initSync } from './core.js';
import { answer } from './shared.js';

onmessage = ({ data }) => {
  if (data.module) initSync({ module: data.module });
  else postMessage(answer(data));
};
