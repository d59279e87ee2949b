import { ofKind } from './guardedFile.ts';

/** Files that say what is installed, from where, and by what, but for those of `manifests.ts`. */
export const installerFiles = ofKind('installer', [
  { tool: 'npm', source: 'https://docs.npmjs.com/cli/configuring-npm/npmrc', files: '.npmrc npmrc' },
  {
    tool: 'Yarn',
    source: 'https://yarnpkg.com/configuration/yarnrc',
    files: '.yarnrc{,.yml,.yaml} .yarn/ .pnp.*',
  },
  {
    tool: 'pnpm',
    source: 'https://pnpm.io/pnpmfile',
    files: '.pnpmfile.{cjs,mjs} pnpmfile.{js,cjs} .pnpmrc',
  },
  { tool: 'Bun', source: 'https://bun.com/docs/runtime/bunfig', files: '{,.}bunfig.toml' },
  {
    tool: 'Node.js',
    source: 'https://nodejs.org/api/modules.html#loading-from-node_modules-folders',
    files: 'node_modules/ bower_components/ .bowerrc',
  },
  {
    tool: 'node-gyp',
    source: 'https://docs.npmjs.com/cli/using-npm/scripts',
    files: 'binding.gyp .node-gyp/',
  },
  {
    kind: 'source',
    tool: 'patch-package',
    source: 'https://github.com/ds300/patch-package',
    files: '/patches/*.patch .patches/',
  },
  {
    tool: 'Deno',
    source: 'https://docs.deno.com/runtime/fundamentals/configuration',
    files: 'deno.json{,c} import_map.json jsr.json',
  },
  {
    tool: 'pip',
    source: 'https://pip.pypa.io/en/stable/topics/configuration',
    files: 'pip.{conf,ini} .pypirc .condarc',
  },
  {
    tool: 'setuptools',
    source: 'https://setuptools.pypa.io/en/latest/userguide/quickstart.html',
    files: 'setup.py MANIFEST.in hatch_build.py .pdm.toml {,.}uv.toml poetry.toml .pdm-python pixi.toml',
  },
  {
    tool: 'Cargo',
    source: 'https://doc.rust-lang.org/cargo/reference/config.html',
    files: '.cargo/ build.rs rust-toolchain{,.toml}',
  },
  {
    tool: 'Go',
    source: 'https://go.dev/ref/mod#workspaces',
    files: 'go.work{,.sum} /vendor/modules.txt .go-version go.env magefile.go /magefiles/',
  },
  {
    tool: 'RubyGems',
    source: 'https://guides.rubygems.org/command-reference/#gem-environment',
    files: '.gemrc .bundle/ *.gemspec /vendor/bundle/ extconf.rb',
  },
  {
    tool: 'Maven',
    source: 'https://maven.apache.org/configure.html',
    files:
      '.mvn/ /settings.xml .ci/settings.xml .github/settings.xml .m2/ toolchains.xml mvnw{,.cmd} maven-wrapper.*',
  },
  {
    tool: 'Gradle',
    source: 'https://docs.gradle.org/current/userguide/build_environment.html',
    files:
      'gradle.properties /gradle/ gradle/wrapper/ gradlew{,.bat} init.gradle{,.kts} init.d/ buildSrc/ verification-metadata.xml .gradle/',
  },
  {
    tool: 'NuGet',
    source: 'https://learn.microsoft.com/nuget/reference/nuget-config-file',
    files: 'nuget.config packages.config .config/dotnet-tools.json global.json paket.{dependencies,lock}',
  },
  {
    tool: 'Conan',
    source: 'https://docs.conan.io/2/reference/conanfile.html',
    files:
      'conanfile.{py,txt} conandata.yml conan.lock remotes.json vcpkg-configuration.json .conan/ .conan2/',
  },
  {
    tool: 'Composer',
    source: 'https://getcomposer.org/doc/06-config.md',
    files: '/auth.json /vendor/composer/ /vendor/autoload.php /vendor/bin/',
  },
  {
    tool: 'Swift',
    source: 'https://docs.swift.org/package-manager',
    files: '.swiftpm/ Package.swift Podfile{,.lock} Cartfile{,.resolved} Mintfile Package@*.swift',
  },
  {
    tool: 'Hex',
    source: 'https://hexdocs.pm/mix/Mix.Project.html',
    files: 'mix.exs rebar.config rebar.lock .hex/',
  },
  {
    tool: 'sbt',
    source: 'https://www.scala-sbt.org/1.x/docs/Directories.html',
    files:
      'build.sbt *.sbt .sbtopts .jvmopts project/build.properties build.sc project.clj deps.edn bb.edn shadow-cljs.edn',
  },
  {
    tool: 'Homebrew',
    source: 'https://docs.brew.sh/Brew-Bundle-and-Brewfile',
    files: 'Brewfile{,.lock.json} Aptfile apt-packages.txt /packages.txt',
  },
]);
