// Program of the figures inside this script, in compressed form. There is no page to open a figure
// in, and no Papers.
const PAGE = location.href;
const PARTS = { glue: '%GLUE%', wasm: '%WASM%', workerGlue: '%WORKER_GLUE%', workerWasm: '%WORKER_WASM%' };

%RELAY%
%UNPACK%
// Every address is a separate module, with a program of its own.
const importGlue = async () => import(address(await unpack(PARTS.glue), 'text/javascript'));
const wasm = () => unpack(PARTS.wasm);
const addresses = async () => ['', packedWorker(await unpack(PARTS.workerGlue), PARTS.workerWasm), '', ''];
