import { ofKind } from './guardedChange.ts';

const script = '{js,cjs,mjs,ts,cts,mts,tsx,jsx}';
const settings = `{${script.slice(1, -1)},json,json5,jsonc,yml,yaml,toml}`;

/** Python modules that runners import: a local one takes their place. */
const standard =
  '{os,re,io,sys,abc,ast,json,enum,copy,time,types,typing,random,string,struct,socket,select,signal,shutil,queue,token,tokenize,trace,traceback,threading,tempfile,textwrap,warnings,weakref,inspect,importlib,functools,itertools,collections,contextlib,dataclasses,datetime,decimal,difflib,argparse,configparser,hashlib,heapq,locale,logging,math,operator,pathlib,pickle,platform,pprint,subprocess,uuid,codecs,glob,fnmatch,bisect,numbers,statistics,ssl,csv,bdb,pdb,cmd,code}.py';

/** Files that test runners, builds, linters and their like load by themselves. */
export const runnerFiles = ofKind('runner', [
  {
    tool: 'Jest',
    source: 'https://jestjs.io/docs/configuration',
    files: `jest.config.${settings} jest.config.*.${script} jest-*.config.${script} jest{.,-}{setup,preset}*.* /__mocks__/ setupTests.${script} globalSetup.${script}`,
  },
  {
    tool: 'Vitest',
    source: 'https://vitest.dev/config',
    files: `vitest.{config,workspace,setup,projects}*.${settings} vitest-*.${script}`,
  },
  { tool: 'Mocha', source: 'https://mochajs.org/#configuring-mocha-nodejs', files: '.mocharc* mocha.opts' },
  {
    tool: 'AVA, tap and Karma',
    source: 'https://github.com/avajs/ava/blob/main/docs/06-configuration.md',
    files: `{ava,karma,wtr,web-test-runner}.{config,conf}*.${script} .taprc .tap/ testem.${script} testem.json jasmine.{json,js,mjs} wallaby.js .borp.yaml`,
  },
  {
    tool: 'Playwright and Cypress',
    source: 'https://playwright.dev/docs/test-configuration',
    files: `{playwright,cypress,wdio,nightwatch,codecept,protractor,cucumber}{,-ct}.{config,conf,conf.*,config.*}.${script} cypress.json cucumber.{js,json,yml} .testcaferc*`,
  },
  {
    tool: 'nyc and c8',
    source: 'https://github.com/istanbuljs/nyc#configuring-nyc',
    files: '.nycrc* .c8rc* nyc.config.js .istanbul.yml stryker.conf* stryker.config*',
  },
  {
    tool: 'Babel',
    source: 'https://babeljs.io/docs/config-files',
    files: `.babelrc* babel.config.${settings}`,
  },
  {
    tool: 'SWC',
    source: 'https://swc.rs/docs/configuration/swcrc',
    files: '.swcrc .swcrc.json .esmrc .esmrc.json .sucraserc',
  },
  {
    tool: 'bundlers',
    source: 'https://vite.dev/config',
    files: `{vite,webpack,rollup,rolldown,rspack,rsbuild,rslib,esbuild,tsup,tsdown,unbuild,build,snowpack,farm,parcel,electron.vite,electron-builder,forge}{,.*}.config{,.*}.${script} .parcelrc build.config.${script} /esbuild.{js,mjs,cjs} webpack.*.js`,
  },
  {
    tool: 'frameworks',
    source: 'https://nextjs.org/docs/app/api-reference/config/next-config-js',
    files: `{next,nuxt,svelte,astro,remix,react-router,gatsby,vue,quasar,docusaurus,metro,expo,tailwind,postcss,windicss,uno,drizzle,prisma,knex,orval,codegen,graphql,mikro-orm,typedoc,vike,ember-cli-build,stencil,craco,config-overrides,open-next,panda,lingui,i18next-parser,sanity,wxt,plasmo}{,.}config{,.*}.${script} .postcssrc* angular.json metro.config.* craco.config.* knexfile.${script} gatsby-node.${script} .storybook/ .umirc.* ember-cli-build.js .graphqlrc* {,.}codegen.{yml,ts}`,
  },
  {
    tool: 'ESLint',
    source: 'https://eslint.org/docs/latest/use/configure/configuration-files',
    files: `eslint.config.${script} .eslintrc* .eslintplugin* {,.}oxlint{rc.json,.config.*} .xo-config* biome.json{,c}`,
  },
  {
    tool: 'Prettier and stylelint',
    source: 'https://prettier.io/docs/configuration',
    files: `.prettierrc* prettier.config.${script} .stylelintrc* stylelint.config.${script} .remarkrc* .textlintrc* .markdownlint-cli2.* {lint-staged,knip,dprint,size-limit,.size-limit,.dependency-cruiser,plopfile,hygen}.${settings} /_templates/`,
  },
  {
    tool: 'settings at the root',
    source: 'https://github.com/cosmiconfig/cosmiconfig#searchplaces',
    files: `/*.config.${script} /.*rc.${script}`,
  },
  {
    tool: 'nodemon and pm2',
    source: 'https://github.com/remy/nodemon#config-files',
    files: `nodemon.json ecosystem.config.${script} .nodemonrc .ncurc* .npmpackagejsonlintrc* .unimportedrc.json`,
  },
  {
    tool: 'monorepo runners',
    source: 'https://nx.dev/reference/nx-json',
    files:
      'nx.json turbo.json{,c} lerna.json rush.json common/config/rush/ wireit.json moon.yml .moon/ .nx/ lage.config.js just.config.ts package.json5 package.yaml',
  },
  {
    tool: 'task runners of Node.js',
    source: 'https://gulpjs.com/docs/en/getting-started/javascript-and-gulpfiles',
    files: `gulpfile{,.babel,.esm}.${script} gulpfile{,.babel}.js/ Gruntfile.{js,coffee,cjs} Jakefile{,.js} Cakefile package-scripts.{js,yml}`,
  },
  {
    tool: 'make',
    source: 'https://www.gnu.org/software/make/manual/html_node/Makefile-Names.html',
    files: 'Makefile GNUmakefile BSDmakefile Makefile.* *.mk *.mak Kbuild',
  },
  {
    tool: 'just and Task',
    source: 'https://just.systems/man/en',
    files: `{,.}justfile *.just Taskfile{,.dist}.y{,a}ml Earthfile maskfile.md Makefile.toml /xtask/`,
  },
  {
    tool: 'pytest',
    source: 'https://docs.pytest.org/en/stable/reference/customize.html',
    files:
      'conftest.py {,.}pytest.{ini,toml} tox.ini tox.toml noxfile.py nose.cfg .noserc unittest.cfg .coveragerc .testr.conf .stestr.conf hatch.toml dodo.py fabfile.py /tasks.py .pylintrc pylintrc mypy.ini .mypy.ini',
  },
  {
    kind: 'shell',
    tool: 'Python',
    source: 'https://docs.python.org/3/library/sys_path_init.html',
    files: `{pytest,_pytest,pluggy,unittest,doctest,nose,coverage,tox,nox,pip,setuptools,wheel,site,runpy,zipimport}.py {pytest,_pytest,pluggy,unittest,coverage,tox,pip,setuptools}/__init__.py /${standard} /src/${standard} /test/${standard} /tests/${standard}`,
  },
  {
    tool: 'RSpec and Minitest',
    source: 'https://rspec.info/features/3-13/rspec-core/configuration/read-options-from-file',
    files: `.rspec .rspec-local {spec,rails,test}_helper.{rb,exs} .simplecov .rubocop.yml .minitestrc .irbrc .pryrc Rakefile *.rake Guardfile Capfile Thorfile Fastfile Dangerfile /config/boot.rb spring.rb bin/spring`,
  },
  {
    tool: 'PHPUnit',
    source: 'https://docs.phpunit.de/en/12.0/configuration.html',
    files: `phpunit*.xml{,.dist} {tests,test}/bootstrap.php Pest.php .phpunit/ phpstan*.neon{,.dist} psalm.xml{,.dist} rector.php {,.}php-cs-fixer{,.dist}.php .php_cs codeception.yml behat.yml`,
  },
  {
    tool: 'JUnit',
    source: 'https://docs.junit.org/current/user-guide/#running-tests-config-params',
    files:
      'junit-platform.properties META-INF/services/ META-INF/spring.factories META-INF/spring/ mockito-extensions/ testng.xml lombok.config logback-test.xml',
  },
  {
    tool: 'MSBuild',
    source: 'https://learn.microsoft.com/visualstudio/msbuild/customize-by-directory',
    files:
      'Directory.{Build,Packages,Solution}.* *.props *.targets *.runsettings *.rsp xunit.runner.json *.tt cake.config build.cake build.fsx',
  },
  {
    tool: 'build systems',
    source: 'https://bazel.build/run/bazelrc',
    files: `BUILD{,.bazel} WORKSPACE{,.bazel,.bzlmod} MODULE.bazel *.bzl .bazelrc .bazelversion .buckconfig{,.local} BUCK pants.toml .pants.* SConstruct SConscript wscript meson.build meson_options.txt meson.options build.xml build.zig{,.zon} build.ninja configure configure.ac Makefile.am *.cmake CMakePresets.json CMakeUserPresets.json xmake.lua premake5.lua build.mill`,
  },
  {
    tool: 'cargo-nextest',
    source: 'https://nexte.st/docs/configuration',
    files:
      '.config/nextest.toml nextest.toml .tarpaulin.toml tarpaulin.toml Cross.toml Trunk.toml .golangci.* golangci.y{,a}ml .air.toml .ko.yaml',
  },
]);

/** Files that shells, interpreters and version managers load where they start. */
export const shellFiles = ofKind('shell', [
  {
    tool: 'direnv',
    source: 'https://direnv.net/man/direnv.1.html',
    files: '.envrc .envrc.* direnv.toml .direnvrc',
  },
  {
    tool: 'dotenv',
    source: 'https://nodejs.org/api/environment_variables.html#dotenv',
    files:
      '.env .env.{local,test,dev,development,prod,production,staging,ci,default,defaults,shared}{,.local} .env.vault .flaskenv .env.mjs .dotenv .secrets .dev.vars',
  },
  {
    tool: 'mise and asdf',
    source: 'https://mise.jdx.dev/configuration.html',
    files:
      '{,.}mise{,.*}.toml .mise/ /mise/ .config/mise/ .config/mise.toml .tool-versions .rtx.toml .asdfrc .default-* mise.lock .prototools .proto/',
  },
  {
    tool: 'managers of versions',
    source: 'https://github.com/nvm-sh/nvm#nvmrc',
    files:
      '.nvmrc .node-version .python-version{,s} .ruby-version .ruby-gemset .java-version .php-version .sdkmanrc .terraform-version .jenv* .rvmrc .perl-version .swift-version .xcode-version .bun-version .deno-version .dvmrc pyvenv.cfg',
  },
  {
    tool: 'shells',
    source: 'https://www.gnu.org/software/bash/manual/html_node/Bash-Startup-Files.html',
    files:
      '.{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,zshrc,zshenv,zprofile,zlogin,zlogout,kshrc,cshrc,tcshrc,login,inputrc,aliases,shrc} .config/fish/ .oh-my-zsh/ .autoenv{,.zsh} .kube/ .ssh/ .curlrc .wgetrc .netrc _netrc .gdbinit .lldbinit .gnupg/ .aws/ .docker/',
  },
  {
    tool: 'PowerShell',
    source: 'https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_profiles',
    files: '*profile.ps1 desktop.ini autorun.inf',
  },
  {
    tool: 'Python',
    source: 'https://docs.python.org/3/library/site.html',
    files:
      '{site,user}customize.py {site,user}customize/__init__.py *.pth .pythonrc{,.py} .pythonstartup pythonstartup.py ._pth python*._pth .pdbrc{,.py} .ipython/ ipython_config.py jupyter_*_config.{py,json} .jupyter/',
  },
  {
    tool: 'Node.js',
    source: 'https://nodejs.org/api/cli.html#--experimental-default-config-file',
    files: 'node.config.json',
  },
  {
    tool: 'Perl, PHP and Ruby',
    source: 'https://www.php.net/manual/en/configuration.file.per-user.php',
    files: '.user.ini php.ini .htaccess web.config sitecustomize.pl .perltidyrc .perlcriticrc .proverc',
  },
  {
    tool: 'Java',
    source: 'https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html',
    files: 'jvm.config *.jvmoptions jshell.startup java.security',
  },
  {
    tool: 'R and Julia',
    source: 'https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html',
    files: '.Rprofile .Renviron Rprofile.site LocalPreferences.toml JuliaLocalPreferences.toml startup.jl',
  },
  {
    tool: 'services of the system',
    source: 'https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html',
    files:
      '*.{service,timer,socket,desktop} crontab crontab.* cron.d/ LaunchAgents/ LaunchDaemons/ .xinitrc .xprofile',
  },
]);
