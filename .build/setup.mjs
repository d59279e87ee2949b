// Installs what is missing, and nothing else. Runs on the Node a machine happens to have (20 or later), with
// no node_modules.
//
//   node .build/setup.mjs [--for check | package | demo | test]
//
//   check the project's dependencies (also Node 24)
//   package + the packager
//   demo + the pinned OpenCode (the default)
//   test   + VS Code servers, the newest and the oldest that package.json promises, and a browser
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from './install.mjs';
import { npm, run } from './npm.mjs';
import * as paths from './paths.mjs';

const levels = ['check', 'package', 'demo', 'test'];

async function main() {
  const asked =
    process.argv.indexOf('--for') === -1 ? 'demo' : process.argv[process.argv.indexOf('--for') + 1];
  const level = levels.indexOf(asked ?? '');
  if (level === -1) throw new Error(`--for takes one of: ${levels.join(', ')}`);
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Error(
      `Node ${process.versions.node} is too old. Install Node 20 or later, then run this again.`,
    );
  }
  await dependencies();
  // Packaging is left out by `demo`: two commands don't need it, and its packages are many.
  if (asked === 'package' || level >= 3) await packager();
  if (level >= 2) await opencode();
  if (level >= 3) await vscodeServer();
  if (level >= 3) await oldestVscodeServer();
  if (level >= 3) await browser();
}

async function dependencies() {
  const folder = join(paths.root, 'node_modules');
  const ownRecord = join(folder, '.package-lock.json');
  const fresh = !existsSync(folder);
  if (fresh || !existsSync(ownRecord) || outdated()) {
    // npm writes its record when it is done, but also without having done anything (`--package-lock-only`).
    // Without it, it looks for itself.
    rmSync(ownRecord, { force: true });
    // `npm ci` empties node_modules first. That is right for a first install; later it would pull the ground
    // from under whatever runs. Everything the project bundles is a devDependency, so NODE_ENV=production
    // must not leave them out.
    const how = fresh ? ['ci'] : ['install', '--no-save'];
    await install('dependencies', () =>
      npm([...how, '--include=dev', '--no-audit', '--no-fund'], paths.root),
    );
  }
  if (!existsSync(paths.projectNode())) {
    throw new Error(
      'The package `node` was installed without its install script, so Node 24 is missing.\n' +
        'If npm is configured with ignore-scripts, run: npm ci --ignore-scripts=false',
    );
  }
}

/**
 * Compares what is installed with the lock file. A stamp would be faster, and wrong whenever npm is used
 * without this script.
 */
function outdated() {
  const version = (folder) => {
    const manifest = join(paths.root, folder, 'package.json');
    return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
  };
  const { packages } = JSON.parse(readFileSync(join(paths.root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).some(
    ([folder, wanted]) => folder !== '' && !wanted.optional && version(folder) !== wanted.version,
  );
}

async function opencode() {
  const { version, folder } = { version: paths.pins.opencode, folder: paths.opencodeFolder() };
  // OpenCode searches with ripgrep and would download it; beside it, it is found
  // (src/adapters/opencode/server/serverSetup.ts).
  const packages = [`opencode-ai@${version}`, `@vscode/ripgrep@${paths.pins.ripgrep}`];
  const add = (place) =>
    npm(['install', '--no-save', '--no-package-lock', '--ignore-scripts', ...packages], place);
  if (!existsSync(paths.opencodeBinary())) {
    await install(`OpenCode ${version}`, { into: folder, proof: paths.opencodeBinary() }, async (temp) => {
      await add(temp);
      // Run by hand: it only picks the binary that fits this processor, and works for people who switch
      // install scripts off.
      await run(process.execPath, ['postinstall.mjs'], join(temp, 'node_modules', 'opencode-ai'));
    });
  } else if (!existsSync(join(folder, 'node_modules', '@vscode', 'ripgrep'))) {
    await install('ripgrep for OpenCode', () => add(folder));
  }
  // The package that OpenCode would install at its first start (src/adapters/opencode/server/installOpencode.ts).
  const config = paths.opencodeConfigFolder();
  const plugin = join(config, 'node_modules', '@opencode-ai', 'plugin', 'package.json');
  if (!existsSync(plugin)) {
    await install(`OpenCode's own package ${version}`, { into: config, proof: plugin }, async (temp) => {
      writeFileSync(
        join(temp, 'package.json'),
        JSON.stringify({ dependencies: { '@opencode-ai/plugin': version } }),
      );
      await npm(['install', '--ignore-scripts'], temp);
    });
  }
  console.log(`OpenCode ${version}: ${paths.opencodeBinary()}`);
}

async function vscodeServer() {
  const { version, folder } = { version: paths.pins.vscodeServer, folder: paths.vscodeServerFolder() };
  if (!existsSync(paths.vscodeServerMain())) {
    await install(
      `VS Code server ${version} (600 MB)`,
      { into: folder, proof: paths.vscodeServerMain() },
      async (temp) => {
        await npm(
          ['install', '--no-save', '--no-package-lock', '--ignore-scripts', `code-server@${version}`],
          temp,
        );
        // Its own dependencies come as a shrinkwrap. Without install scripts nothing is compiled: no
        // terminal, but all that tests touch.
        await npm(
          ['install', '--omit=dev', '--ignore-scripts'],
          join(temp, 'node_modules', 'code-server', 'lib', 'vscode'),
        );
      },
    );
  }
  console.log(`VS Code server ${version}: ${paths.vscodeServerMain()}`);
}

async function oldestVscodeServer() {
  const version = paths.pins.oldestVscodeServer;
  const main = paths.vscodeServerMain(version);
  if (!existsSync(main)) {
    await install(
      `VS Code server ${version} (600 MB)`,
      { into: paths.vscodeServerFolder(version), proof: main },
      async (temp) => {
        const packages = [`code-server@${version}`, `node@${paths.pins.oldestVscodeNode}`];
        await npm(['install', '--no-save', '--no-package-lock', '--ignore-scripts', ...packages], temp);
        await run(process.execPath, ['installArchSpecificPackage.js'], join(temp, 'node_modules', 'node'));
        // Its shrinkwrap takes one package from a Git address, which is neither pinned by a registry nor
        // reachable everywhere.
        const server = join(temp, 'node_modules', 'code-server', 'lib', 'vscode');
        rmSync(join(server, 'npm-shrinkwrap.json'));
        const manifest = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'));
        manifest.dependencies['@parcel/watcher'] = '^2.5.1';
        writeFileSync(join(server, 'package.json'), JSON.stringify(manifest));
        await npm(['install', '--omit=dev', '--ignore-scripts'], server);
      },
    );
  }
  console.log(`VS Code server ${version}: ${main}`);
}

async function packager() {
  const { version, folder } = { version: paths.pins.vsce, folder: paths.vsceFolder() };
  if (!existsSync(paths.vsceMain())) {
    await install(`vsce ${version}`, { into: folder, proof: paths.vsceMain() }, (temp) =>
      npm(['install', '--no-save', '--no-package-lock', '--ignore-scripts', `@vscode/vsce@${version}`], temp),
    );
  }
  console.log(`vsce ${version}: ${paths.vsceMain()}`);
}

async function browser() {
  if (process.platform !== 'linux') {
    console.log(
      'browser: the packaged one is for Linux only; tests in the editor need Chrome on this machine',
    );
    return;
  }
  const { version, folder } = { version: paths.pins.browser, folder: paths.browserFolder() };
  if (!existsSync(paths.browserModule())) {
    await install(`browser ${version}`, { into: folder, proof: paths.browserModule() }, (temp) =>
      npm(
        ['install', '--no-save', '--no-package-lock', '--ignore-scripts', `@sparticuz/chromium@${version}`],
        temp,
      ),
    );
  }
  // It unpacks itself at its first start, and takes what another process is still writing for the whole.
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x';
  const { default: chromium } = await import(pathToFileURL(paths.browserModule()).href);
  await chromium.executablePath();
  console.log(`browser ${version}: ${paths.browserModule()}`);
}

await main().catch((error) => {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
