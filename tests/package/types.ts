// The tests compile this file but do not run it, to check the types of the package.
import { check, cost, route, run, svg, version, type Progress, type Report, type Result } from 'faultlab';

const seen: Progress[] = [];
const result: Result = await run('net=cube:4', { threads: 2, progress: progress => seen.push(progress), signal: AbortSignal.timeout(1000) });
const reports: Report[] = [await route('net=cube:4'), await check('net=cube:4', { rules: '' }), await cost('net=cube:4')];
const picture: string = await svg('net=cube:4', { width: 640, height: 420, view: 'check', show: 'network' });
export const all: string[] = [result.csv, result.svg, reports[0].json, picture, version, String(seen[0].share)];
// @ts-expect-error: an experiment is a text
await run(7);
// @ts-expect-error: there is no such view
await svg('net=cube:4', { view: 'papers' });
