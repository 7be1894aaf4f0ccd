'use strict';

/*
 * Checks before `npm start`, `npm run carillon`, `npm run build` and `npm test` that `npm ci` has installed everything, and says
 * what to do if it has not. CommonJS in old syntax, because the system's Node runs it when the runtime of the project is missing.
 *
 * npm leaves out optional packages whose `engines` exclude the Node that npm itself runs on. Rolldown, which builds the console,
 * is such a package, and without it Vite ends with "Cannot find native binding".
 */

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const NEEDED = 'Node 20.19 or later of version 20, or Node 22.12 or later, with its npm';

/** Returns a sentence for what `npm ci` did not install, and whether the service can start without it; undefined if nothing is missing. */
function findProblem() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  if (!existsSync(join(root, 'node_modules'))) {
    return { text: 'The packages are not installed. Run `npm ci`, then try again.' };
  }
  const wanted = Number(packages['node_modules/node'].version.split('.')[0]);
  if (Number(process.versions.node.split('.')[0]) < wanted) {
    return {
      text: `Node ${wanted}, which npm installs with the project, is missing, and Node ${process.versions.node} cannot run this program. Run \`npm ci\` again, without --ignore-scripts.`,
    };
  }
  const skipped = skippedPackages(packages);
  if (skipped.length === 0) return undefined;
  // npm names the Node that it runs on in its user agent: "npm/9.2.0 node/v18.20.4 linux x64 workspaces/false".
  const match = / node\/v([\d.]+)/.exec(process.env.npm_config_user_agent || '');
  const reason =
    match && isOld(match[1])
      ? `because it runs on Node ${match[1]}. Install ${NEEDED}, then run`
      : 'so the console cannot be built. Check the network and the `omit` setting of npm, then run';
  return {
    text: `npm did not install ${skipped.join(', ')}, ${reason} \`npm ci\` again.`,
    // An installation that was built before serves its pages on.
    canStart: existsSync(join(root, 'console', 'dist', 'index.html')),
  };
}

/** Names of the build tools' packages for this platform that are in the lock file and not in node_modules. */
function skippedPackages(packages) {
  // Without the build tools (`npm ci --omit=dev`) nothing is built.
  if (!existsSync(join(root, 'node_modules', 'vite'))) return [];
  return Object.keys(packages)
    .filter((path) => {
      const { dev, optional, os, cpu, libc } = packages[path];
      return (
        dev &&
        optional &&
        includes(os, process.platform) &&
        includes(cpu, process.arch) &&
        (libc === undefined || libc.includes(libcOfSystem())) &&
        !existsSync(join(root, path))
      );
    })
    .map((path) => path.replace(/^node_modules\//, ''));
}

function includes(list, value) {
  return list === undefined ? false : list.includes(value);
}

function libcOfSystem() {
  if (process.platform !== 'linux') return undefined;
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/** Whether npm on this Node leaves packages out: the `engines` of Vite and Rolldown are `^20.19.0 || >=22.12.0`. */
function isOld(version) {
  const [major, minor] = version.split('.').map(Number);
  return major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12);
}

const problem = findProblem();
if (problem) {
  console.error(`carillon: ${problem.text}`);
  if (!problem.canStart) process.exitCode = 1;
}
