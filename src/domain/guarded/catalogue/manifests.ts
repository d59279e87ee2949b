import type { Format } from './entries.ts';
import { type GuardedFile, type GuardedKind, ofKind } from './guardedChange.ts';

/**
 * A file that is read by parts. `harmless`: keys (or lines) without effect elsewhere. `dependencies`: keys
 * whose values match `plain` if from the usual registry. `kinds`: of other keys.
 */
export interface Manifest extends GuardedFile {
  readonly format: Format;
  readonly harmless: RegExp;
  readonly dependencies?: { readonly keys: RegExp; readonly plain: RegExp };
  readonly kinds?: readonly (readonly [keys: RegExp, kind: GuardedKind])[];
}

/** Versions, tags or workspace packages in every leaf, and no file. */
const npmRange =
  /^(?:[{}[\],:]|"(?!\.|[^"]*\.(?:tgz|tar|gz)")(?:workspace:|catalog:)?[\w.^~<>=*| +-]*"(?!:)|"@?[\w./@>-]+"(?=:))*$/i;
/** No address, folder, index, or escapes that could hide one. */
const registryOnly =
  /^(?![^]*(?:\b(?:git|url|path|registry|registry-index|index|source|file|branch|rev|subdirectory)\b["']?\s*=|:\/\/|\\|@\s*(?:git|file|https?)\b))/;

const runnerKeys =
  /^(?:jest|mocha|ava|tap|nyc|c8|vitest|karma|babel|eslintConfig|eslintIgnore|prettier|stylelint|xo|standard|wallaby|postcss|remarkConfig|nodemonConfig|nx|wireit|turbo|browserify|prisma)(?:\.|$)/;

/** Files that are read by parts. Keys not known as harmless are asked about. */
export const manifests: readonly Manifest[] = [
  {
    tool: 'npm',
    kind: 'installer',
    source: 'https://docs.npmjs.com/cli/configuring-npm/package-json',
    files: 'package.json',
    format: 'json',
    harmless:
      /^(?:\$schema|name|version|private|description|keywords|author|contributors|maintainers|license|licenses|homepage|repository|bugs|funding|type|main|module|browser|types|typings|typesVersions|exports|imports|files|directories|man|sideEffects|engines|os|cpu|libc|browserslist|workspaces|unpkg|jsdelivr|sponsor|displayName|publisher|icon|categories|contributes|activationEvents|extensionKind|capabilities|galleryBanner|l10n|preview|pricing|badges|markdown|qna|productName|peerDependenciesMeta|bin)(?:\.|$)/,
    dependencies: {
      keys: /^(?:(?:dev|optional|peer)?dependencies|overrides|resolutions|catalog)(?:\.|$)/i,
      plain: npmRange,
    },
    kinds: [
      [/^scripts\./, 'script'],
      [
        /^(?:husky|simple-git-hooks|lint-staged|pre-commit|pre-push|gitHooks|commitlint|config)(?:\.|$)/,
        'hook',
      ],
      [runnerKeys, 'runner'],
    ],
  },
  {
    tool: 'pnpm',
    kind: 'installer',
    source: 'https://pnpm.io/settings',
    files: 'pnpm-workspace.y{,a}ml',
    format: 'lines',
    harmless:
      /^(?:#.*|packages:|catalog:|- ['"]?[\w@./*!-]+['"]?|['"]?@?[\w./-]+['"]?: ['"]?[\^~]?\d[\w.+-]*['"]?)$/,
  },
  {
    tool: 'Composer',
    kind: 'installer',
    source: 'https://getcomposer.org/doc/04-schema.md',
    files: 'composer.json',
    format: 'json',
    harmless:
      /^(?:\$schema|name|description|version|type|keywords|homepage|readme|time|license|authors|support|funding|minimum-stability|prefer-stable|autoload\.(?:psr-[04]|classmap)|autoload-dev\.(?:psr-[04]|classmap)|suggest|conflict|archive|abandoned)(?:\.|$)/,
    dependencies: { keys: /^require(?:-dev)?\./, plain: /^"[\w.^~<>=*|, @-]*"$/ },
    kinds: [[/^scripts\b/, 'script']],
  },
  {
    tool: 'TypeScript',
    kind: 'runner',
    source: 'https://www.typescriptlang.org/tsconfig',
    files: '{ts,js}config.json {ts,js}config.*.json {ts,js}config-*.json',
    format: 'json',
    harmless:
      /^(?:\$schema|include|exclude|files|compileOnSave|references|display|compilerOptions\.(?!plugins$|paths$|baseUrl$|rootDirs$|typeRoots$|jsxImportSource$).*)$/,
  },
  {
    tool: 'Python',
    kind: 'installer',
    source: 'https://packaging.python.org/en/latest/specifications/pyproject-toml',
    files: 'pyproject.toml',
    format: 'toml',
    harmless:
      /^(?:project(?:\.(?:name|version|description|readme|requires-python|license(?:-files)?|authors|maintainers|keywords|classifiers|urls|dynamic)(?:\..*)?)?|project\.optional-dependencies|dependency-groups|tool\.(?:setuptools\.(?:packages|package-dir|package-data|py-modules|include-package-data)|ruff|black|isort|mypy(?!.*plugin)|pyright|basedpyright|flake8|coverage(?!.*plugin)|bandit|commitizen|towncrier|codespell|pydocstyle|interrogate|vulture|deptry|djlint|yapf|autopep8|typos)(?:\..*)?|tool\.poetry(?:\.(?:name|version|description|authors|license|readme|homepage|repository|documentation|keywords|classifiers|urls|packages|package-mode))?|tool\.poetry\.(?:dev-|group\.[\w-]+\.)?dependencies|tool\.poetry\.group\.[\w-]+)$/,
    dependencies: {
      keys: /^(?:project\.(?:dependencies|optional-dependencies\..*)|dependency-groups\..*|tool\.poetry\.(?:dev-|group\.[\w-]+\.)?dependencies\..*|tool\.uv\.dev-dependencies|tool\.pdm\.dev-dependencies(?:\..*)?)$/,
      plain: registryOnly,
    },
    kinds: [
      [
        /^(?:project\.(?:scripts|gui-scripts|entry-points)|tool\.(?:poetry\.(?:scripts|plugins)|pdm\.scripts|poe\b|taskipy|hatch\.envs|pixi\.tasks|rye\.scripts))/,
        'script',
      ],
      [/^tool\.(?:pytest|tox|nox|mypy|pylint|coverage)/, 'runner'],
      [/^tool\.(?:poetry\.source|uv\.(?:index|sources)|pdm\.source|pixi\.channels)/, 'source'],
    ],
  },
  {
    tool: 'setuptools',
    kind: 'installer',
    source: 'https://setuptools.pypa.io/en/latest/userguide/declarative_config.html',
    files: 'setup.cfg',
    format: 'ini',
    harmless:
      /^(?:metadata|flake8|mypy(?!.*plugin).*|isort|pycodestyle|pydocstyle|coverage:.*|options\.packages\.find|options\.package_data|bdist_wheel)\.|^options\.(?:packages|package_dir|python_requires|include_package_data|zip_safe)$/,
    dependencies: { keys: /^options\.(?:install_requires$|extras_require\.)/, plain: registryOnly },
    kinds: [
      [/^options\.(?:entry_points|scripts)/, 'script'],
      [/^tool:pytest/, 'runner'],
    ],
  },
  {
    tool: 'pip',
    kind: 'source',
    source: 'https://pip.pypa.io/en/stable/reference/requirements-file-format',
    files: '*requirements*.{txt,in} requirements/*.{txt,in} constraints*.txt',
    format: 'lines',
    harmless:
      /^(?:#.*|[\w.-]+(?:\[[\w, .-]*\])? ?(?:(?:[<>=!~]=?|===) ?[\w.*+-]+ ?(?:, ?)?)*(?:;[^\\@]*)?\\?(?:\s#.*)?|--hash=\w+:\w+\s*\\?)$/,
  },
  {
    tool: 'Pipenv',
    kind: 'installer',
    source: 'https://pipenv.pypa.io/en/latest/pipfile.html',
    files: 'Pipfile',
    format: 'toml',
    harmless: /^(?:packages|dev-packages|requires(?:\..*)?)$/,
    dependencies: { keys: /^(?:dev-)?packages\./, plain: registryOnly },
    kinds: [
      [/^scripts/, 'script'],
      [/^source/, 'source'],
    ],
  },
  {
    tool: 'conda',
    kind: 'source',
    source: 'https://docs.conda.io/projects/conda/en/stable/user-guide/tasks/manage-environments.html',
    files: 'environment*.y{,a}ml',
    format: 'lines',
    harmless:
      /^(?:#.*|name: [\w-]+|dependencies:|- pip:?|- [\w.-]+(?:[<>=!~]+[\w.*]+,?)*|channels:|- (?:conda-forge|defaults))$/,
  },
  {
    tool: 'Cargo',
    kind: 'installer',
    source: 'https://doc.rust-lang.org/cargo/reference/manifest.html',
    files: 'Cargo.toml',
    format: 'toml',
    harmless:
      /^(?:package(?:\.(?:name|version|edition|rust-version|authors|description|documentation|readme|homepage|repository|license|license-file|keywords|categories|publish|include|exclude|default-run|autobins|autolib|autoexamples|autotests|autobenches|resolver|metadata(?:\..*)?)(?:\..*)?)?|workspace(?:\.(?:members|default-members|exclude|resolver|package(?:\..*)?|lints(?:\..*)?|metadata(?:\..*)?))?|features(?:\..*)?|lints(?:\..*)?|(?:lib|bin|example|test|bench)(?:\.(?!proc-macro|harness|plugin).*)?|profile(?:\.(?!.*(?:rustflags|package)).*)?|badges(?:\..*)?|(?:target\..*\.|workspace\.)?(?:dev-|build-)?dependencies)$/,
    dependencies: {
      keys: /^(?:target\..*\.|workspace\.)?(?:dev-|build-)?dependencies\./,
      plain: registryOnly,
    },
    kinds: [[/^(?:patch|replace)\b/, 'source']],
  },
  {
    tool: 'Go',
    kind: 'source',
    source: 'https://go.dev/ref/mod#go-mod-file',
    files: 'go.mod',
    format: 'lines',
    harmless:
      /^(?:\/\/.*|module \S+|go [\d.]+|require \(|\)|(?:require )?[\w.~/-]+ v[\w.+-]+(?: \/\/ indirect)?)$/,
  },
  {
    tool: 'Bundler',
    kind: 'source',
    source: 'https://bundler.io/man/gemfile.5.html',
    files: 'Gemfile gems.rb',
    format: 'lines',
    harmless:
      /^(?:#.*|source ['"]https:\/\/rubygems\.org\/?['"]|end|group :\w+(?:, ?:\w+)* do|ruby ['"][\d.]+['"]|gem ['"][\w-]+['"](?:, ?['"][~<>= \w.]+['"])*(?:, ?(?:require: (?:false|['"][\w/-]+['"])|groups?: (?:\[[\w:, ]*\]|:\w+)|platforms?: (?:\[[\w:, ]*\]|%i\[[\w ]*\]|:\w+)))*)$/,
  },
  {
    tool: 'Maven',
    kind: 'installer',
    source: 'https://maven.apache.org/pom.html',
    files: 'pom.xml *.pom',
    format: 'lines',
    harmless:
      /^(?:<!--[^<>]*-->|<\/?(?:dependencies|dependency|exclusions|exclusion)>|<(groupId|artifactId|version|scope|type|optional|name|description|url)>[\w.:$/{}\s-]*<\/\1>|<([\w.-]+\.version)>[\w.-]*<\/\2>)$/,
  },
  {
    tool: 'Gradle',
    kind: 'installer',
    source: 'https://docs.gradle.org/current/userguide/declaring_dependencies.html',
    files: '*.gradle{,.kts}',
    format: 'lines',
    harmless:
      /^(?:\/\/.*|dependencies \{|\}|(?:api|implementation|compileOnly|runtimeOnly|testImplementation|testRuntimeOnly|testCompileOnly|androidTestImplementation)[ (](?:platform\()?(?:["'][\w.-]+:[\w.-]+(?::[\w.+$-]+)?["']|libs(?:\.\w+)+|project\(["']:[\w:-]+["']\))\){0,2}|(?:version|group) = ["'][\w.-]+["'])$/,
  },
  {
    tool: 'Gradle',
    kind: 'installer',
    source: 'https://docs.gradle.org/current/userguide/version_catalogs.html',
    files: '*.versions.toml',
    format: 'toml',
    harmless: /^(?:versions|libraries|bundles)(?:\..*)?$/,
  },
  {
    tool: 'MSBuild',
    kind: 'installer',
    source: 'https://learn.microsoft.com/visualstudio/msbuild/msbuild-project-file-schema-reference',
    files: '*.{cs,fs,vb,vcx,es}proj *.sln{,x}',
    format: 'lines',
    harmless:
      /^(?:<!--[^<>]*-->|<\/?(?:ItemGroup|PropertyGroup)>|<(?:PackageReference|PackageVersion|ProjectReference|Compile|None|Content|EmbeddedResource|Folder) (?:(?:Include|Version|Remove|Update|PrivateAssets|CopyToOutputDirectory)="[\w.\\/*;[\](), -]*"\s*)+\/?>|<(TargetFrameworks?|Nullable|ImplicitUsings|LangVersion|Version|RootNamespace|AssemblyName|Description|TreatWarningsAsErrors)>[\w.;-]*<\/\1>|Project\("\{[\w-]+\}"\) = [\w.", {}\\/-]+|EndProject)$/,
  },
  {
    tool: 'CMake',
    kind: 'runner',
    source: 'https://cmake.org/cmake/help/latest/manual/cmake-commands.7.html',
    files: 'CMakeLists.txt',
    format: 'lines',
    harmless:
      /^(?:#.*|\)|(?:add_executable|add_library|target_sources|target_link_libraries|target_include_directories|target_compile_features|add_subdirectory)\([\w:./ -]*\)?|[\w./-]+\.(?:c|cc|cpp|cxx|h|hh|hpp)\)?|(?:PUBLIC|PRIVATE|INTERFACE)(?: [\w:./-]+)*\)?|add_test\(NAME \w+ COMMAND \w+\))$/,
  },
];

/** Files that determine installations as a whole. */
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
