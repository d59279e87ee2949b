import { type IntegrityRow, json, row } from './row.ts';

const code = 'export const a = 1;\n';
const manifest = (fields: Readonly<Record<string, unknown>>): string =>
  json({ name: 'app', version: '1.0.0', scripts: { test: 'mocha' }, ...fields });
const entry = (name: string, version: string): Readonly<Record<string, unknown>> => ({
  version,
  resolved: `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1) ?? ''}-${version}.tgz`,
  integrity: `sha512-${name}`,
});
const lock = (packages: Readonly<Record<string, unknown>>): string =>
  json({ lockfileVersion: 3, packages: { '': { name: 'app' }, ...packages } });
const changed = (
  title: readonly [string, string],
  path: string,
  before: string,
  after: string,
): IntegrityRow => row(title, { [path]: after }, { [path]: before });
const planned = (name: string, path: string, text: string): IntegrityRow =>
  row([name, 'plan'], { [path]: text }, {}, [path]);

/** New files of everyday work: none of them is loaded by anything but the project itself. */
const files: readonly (readonly [path: string, about: string])[] = [
  ['src/agents.ts', 'code about agents'],
  ['src/config.ts', 'code'],
  ['src/app/app.config.ts', 'code of Angular'],
  ['src/hooks/useCart.ts', 'hooks of React'],
  ['src/workflows/order.ts', 'code about workflows'],
  ['src/make.ts', 'code'],
  ['src/docker/client.go', 'code about Docker'],
  ['app/models/user.rb', 'code'],
  ['app/random.py', 'a module in a package'],
  ['test/cart.test.ts', 'tests'],
  ['tests/test_cart.py', 'tests'],
  ['internal/cart/cart_test.go', 'tests'],
  ['test/fixtures/order.json', 'test data'],
  ['test/__snapshots__/cart.test.ts.snap', 'snapshots'],
  ['README.md', 'pages'],
  ['guides/deploying.md', 'pages'],
  ['CHANGELOG.md', 'pages'],
  ['.github/PULL_REQUEST_TEMPLATE.md', 'pages'],
  ['src/styles/cart.css', 'styles'],
  ['public/logo.svg', 'images'],
  ['db/migrate/20250101_add_carts.rb', 'migrations'],
  ['migrations/0002_carts.sql', 'migrations'],
  ['locales/de.json', 'translations'],
  ['src/i18n/de.po', 'translations'],
  ['src/generated/api.ts', 'generated code'],
  ['proto/cart.proto', 'schemas'],
  ['.env.example', 'an example'],
  ['.editorconfig', 'indentation'],
  ['LICENSE', 'licenses'],
];

/** Honest changes. None of them has to be asked about. */
export const honest: readonly IntegrityRow[] = [
  ...files.map(([path, about]) => row([`adds ${path}`, about], { [path]: code })),
  row(['renames a module', 'code'], { 'src/old.ts': null, 'src/new.ts': code }, { 'src/old.ts': code }),
  row(
    ['renames a file by case only', 'code'],
    { 'src/app.ts': null, 'src/App.ts': code },
    { 'src/app.ts': code },
  ),
  row(
    ['moves code between files', 'code'],
    { 'src/a.ts': code, 'src/b.ts': code },
    { 'src/a.ts': code + code },
  ),
  row(
    ['deletes dead code and its test', 'code'],
    { 'src/b.ts': null, 'test/b.test.ts': null },
    { 'src/b.ts': code, 'test/b.test.ts': code },
  ),
  planned('adds a workflow that the plan names', '.github/workflows/ci.yml', 'on: push\n'),
  planned('adds a configuration that the plan names', 'vitest.config.ts', 'export default {};\n'),
  planned('adds rules that the plan names', 'AGENTS.md', 'Run the tests.\n'),
  planned('adds an image that the plan names', 'Dockerfile', 'FROM node:24\n'),
  row(
    ['adds a script to a manifest that the plan names', 'npm'],
    { 'package.json': manifest({ scripts: { test: 'mocha', build: 'tsc' } }) },
    { 'package.json': manifest({}) },
    ['package.json'],
  ),
  row(
    ['adds a dependency with its lock entries', 'npm'],
    {
      'package.json': manifest({ dependencies: { ms: '^2.1.3', '@types/ms': '~0.7.0' } }),
      'package-lock.json': lock({
        'node_modules/ms': entry('ms', '2.1.3'),
        'node_modules/@types/ms': entry('@types/ms', '0.7.34'),
      }),
    },
    { 'package.json': manifest({}), 'package-lock.json': lock({}) },
  ),
  row(
    ['updates a dependency', 'npm'],
    {
      'package-lock.json': lock({ 'node_modules/ms': { ...entry('ms', '2.1.3'), integrity: 'sha512-new' } }),
    },
    { 'package-lock.json': lock({ 'node_modules/ms': entry('ms', '2.1.2') }) },
  ),
  row(
    ['uses the mirror that is there', 'npm'],
    {
      'package-lock.json': lock({
        'node_modules/ms': { resolved: 'https://npm.corp.example/api/npm/ms/-/ms-2.1.3.tgz' },
        'node_modules/a': { resolved: 'https://npm.corp.example/api/npm/a/-/a-1.0.0.tgz' },
      }),
    },
    {
      'package-lock.json': lock({
        'node_modules/ms': { resolved: 'https://npm.corp.example/api/npm/ms/-/ms-2.1.3.tgz' },
      }),
    },
  ),
  changed(
    ['raises the version and describes it', 'npm'],
    'package.json',
    manifest({}),
    manifest({ version: '1.1.0', description: 'Carts', files: ['dist'], exports: './dist/a.js' }),
  ),
  changed(
    ['adds a command to an extension', 'VS Code'],
    'package.json',
    manifest({ contributes: { commands: [] } }),
    manifest({ contributes: { commands: [{ command: 'a.b', title: 'B' }] } }),
  ),
  changed(
    ['adds a member to a workspace', 'npm'],
    'packages/a/package.json',
    manifest({}),
    manifest({ dependencies: { b: 'workspace:*' } }),
  ),
  changed(
    ['locks a package', 'Yarn'],
    'yarn.lock',
    '',
    'ms@^2.1.3:\n  version "2.1.3"\n  resolved "https://registry.yarnpkg.com/ms/-/ms-2.1.3.tgz#aa"\n  integrity sha512-a\n',
  ),
  changed(
    ['locks a package', 'pnpm'],
    'pnpm-lock.yaml',
    'packages:\n',
    'packages:\n  ms@2.1.3:\n    resolution: {integrity: sha512-a}\n    deprecated: see https://example.com\n',
  ),
  changed(
    ['locks a crate', 'Cargo'],
    'Cargo.lock',
    'version = 4\n',
    'version = 4\n\n[[package]]\nname = "serde"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n',
  ),
  changed(
    ['adds a crate', 'Cargo'],
    'Cargo.toml',
    '[dependencies]\n',
    '[dependencies]\nserde = { version = "1", features = ["derive"] }\nms = "2"\n',
  ),
  changed(
    ['adds a module', 'Go'],
    'go.mod',
    'module a\n\ngo 1.22\n',
    'module a\n\ngo 1.22\n\nrequire (\n\tgithub.com/pkg/errors v0.9.1 // indirect\n)\n',
  ),
  changed(
    ['adds a sum', 'Go'],
    'go.sum',
    '',
    'github.com/pkg/errors v0.9.1 h1:aaaa=\ngithub.com/pkg/errors v0.9.1/go.mod h1:bbbb=\n',
  ),
  changed(
    ['adds a package', 'Python'],
    'pyproject.toml',
    '[project]\nname = "a"\ndependencies = []\n',
    '[project]\nname = "a"\ndependencies = [\n  "httpx>=0.27",\n]\n',
  ),
  changed(
    ['adds a package', 'pip'],
    'requirements.txt',
    'httpx==0.27\n',
    '# client\nhttpx==0.27\nrich>=13,<14 ; python_version > "3.9"\n',
  ),
  changed(
    ['adds a gem', 'Bundler'],
    'Gemfile',
    "source 'https://rubygems.org'\n",
    "source 'https://rubygems.org'\n\ngroup :test do\n  gem 'rspec', '~> 3.13'\nend\n",
  ),
  changed(
    ['adds a package', 'Composer'],
    'composer.json',
    '{"require":{"a/b":"^1"}}',
    '{"require":{"a/b":"^1","c/d":"^2.0"}}',
  ),
  changed(
    ['adds a dependency', 'Gradle'],
    'build.gradle',
    'dependencies {\n}\n',
    "dependencies {\n    testImplementation 'org.assertj:assertj-core:3.26.0'\n}\n",
  ),
  changed(
    ['adds a dependency', 'Maven'],
    'pom.xml',
    '<dependencies>\n</dependencies>\n',
    '<dependencies>\n  <dependency>\n    <groupId>org.assertj</groupId>\n    <artifactId>assertj-core</artifactId>\n    <version>3.26.0</version>\n  </dependency>\n</dependencies>\n',
  ),
  changed(
    ['adds a package', 'NuGet'],
    'src/App.csproj',
    '<Project>\n  <ItemGroup>\n  </ItemGroup>\n</Project>\n',
    '<Project>\n  <ItemGroup>\n    <PackageReference Include="Dapper" Version="2.1.35" />\n  </ItemGroup>\n</Project>\n',
  ),
  changed(
    ['adds a source file', 'CMake'],
    'CMakeLists.txt',
    'add_executable(app\n  src/a.cpp\n)\n',
    'add_executable(app\n  src/a.cpp\n  src/b.cpp\n)\n',
  ),
  changed(
    ['checks more strictly', 'TypeScript'],
    'tsconfig.json',
    '{"compilerOptions":{"strict":true}}',
    '{"compilerOptions":{"strict":true,"noUncheckedIndexedAccess":true}}',
  ),
  row(
    ['ignores what builds write', 'git'],
    { '.gitignore': 'dist/\ncoverage/\n*.log\n.env\n' },
    { '.gitignore': 'dist/\n', 'src/a.ts': code },
  ),
];
