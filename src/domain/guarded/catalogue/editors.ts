import type { GuardedFile } from './guardedFile.ts';

/**
 * Files of editors and of git. `.editorconfig` and `.mailmap` are none: they start and trust nothing.
 * `.gitignore` is read by its lines (`hiddenFiles.ts`).
 */
export const editorFiles: readonly GuardedFile[] = [
  {
    tool: 'VS Code',
    kind: 'editor',
    source: 'https://code.visualstudio.com/docs/editing/workspaces/workspace-trust',
    files: '.vscode/ *.code-workspace',
  },
  {
    tool: 'IntelliJ IDEA',
    kind: 'editor',
    source: 'https://www.jetbrains.com/help/idea/project-security.html',
    files: '.idea/ .fleet/ .run/ *.iml *.ipr *.iws',
  },
  {
    tool: 'Beadsmith',
    kind: 'editor',
    source: 'docs/decisions/168-evidence-is-signed.md',
    files: '/.beadsmith/keys',
  },
  {
    tool: 'Beadsmith',
    kind: 'editor',
    source: 'docs/decisions/165-guarded-by-default.md',
    files: '/.beadsmith/accepted-changes',
  },
  { tool: 'Zed', kind: 'editor', source: 'https://zed.dev/docs/configuring-zed', files: '.zed/' },
  {
    tool: 'Vim',
    kind: 'editor',
    source: "https://vimhelp.org/options.txt.html#'exrc'",
    files: '{.,_}{exrc,vimrc,gvimrc,nvimrc} .nvim.lua .vim/ .lvimrc .vimspector.json',
  },
  {
    tool: 'Emacs',
    kind: 'editor',
    source: 'https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html',
    files: '.dir-locals.el .dir-locals-2.el .projectile',
  },
  {
    tool: 'Sublime Text',
    kind: 'editor',
    source: 'https://www.sublimetext.com/docs/projects.html',
    files: '*.sublime-{project,workspace,build}',
  },
  {
    tool: 'Visual Studio',
    kind: 'editor',
    source: 'https://learn.microsoft.com/visualstudio/ide/customize-build-and-debug-tasks-in-visual-studio',
    files: '.vs/ launchSettings.json',
  },
  {
    tool: 'Eclipse',
    kind: 'editor',
    source:
      'https://help.eclipse.org/latest/topic/org.eclipse.platform.doc.isv/reference/misc/project_description_file.html',
    files: '.project .classpath .settings/',
  },
  {
    tool: 'Xcode',
    kind: 'editor',
    source: 'https://developer.apple.com/documentation/xcode/customizing-the-build-schemes-for-a-project',
    files: '*.xcodeproj/ *.xcworkspace/ *.xcconfig',
  },
  {
    tool: 'Helix',
    kind: 'editor',
    source: 'https://docs.helix-editor.com/configuration.html',
    files: '.helix/',
  },
  {
    tool: 'language servers',
    kind: 'editor',
    source: 'https://luals.github.io/wiki/configuration',
    files: '.luarc.json{,c} pyrightconfig.json .clangd compile_flags.txt .ccls .neoconf.json',
  },
  {
    tool: 'Dev Containers',
    kind: 'editor',
    source: 'https://containers.dev/implementors/spec',
    files:
      '.devcontainer/ .devcontainer.json .gitpod.y{,a}ml .gitpod/ .idx/ .codesandbox/ .stackblitzrc .replit',
  },
  {
    tool: 'git',
    kind: 'git',
    source: 'https://git-scm.com/docs/gitattributes',
    files: '.git/ git~*/ .gitattributes .gitmodules .gitconfig',
  },
  {
    tool: 'Git LFS',
    kind: 'git',
    source: 'https://github.com/git-lfs/git-lfs/blob/main/docs/man/git-lfs-config.adoc',
    files: '.lfsconfig',
  },
  {
    tool: 'git',
    kind: 'hook',
    source: 'https://git-scm.com/docs/githooks',
    files: '.githooks/ .hooks/ .git-hooks/ /githooks/ /git-hooks/',
  },
  {
    tool: 'husky',
    kind: 'hook',
    source: 'https://typicode.github.io/husky/how-to.html',
    files: '.husky/ .huskyrc*',
  },
  {
    tool: 'lefthook',
    kind: 'hook',
    source: 'https://lefthook.dev/configuration',
    files: '{,.}lefthook{,-local}.{yml,yaml,toml,json,jsonc} .lefthook/ .lefthook-local/ .config/lefthook*',
  },
  {
    tool: 'pre-commit',
    kind: 'hook',
    source: 'https://pre-commit.com/#adding-pre-commit-plugins-to-your-project',
    files: '.pre-commit-{config,hooks}.y{,a}ml prek.toml',
  },
  {
    tool: 'overcommit',
    kind: 'hook',
    source: 'https://github.com/sds/overcommit#configuration',
    files: '.overcommit.yml .overcommit_gems.rb',
  },
  {
    tool: 'simple-git-hooks',
    kind: 'hook',
    source: 'https://github.com/toplenboren/simple-git-hooks#usage',
    files: '{,.}simple-git-hooks.{cjs,js,mjs,json}',
  },
  {
    tool: 'lint-staged',
    kind: 'hook',
    source: 'https://github.com/lint-staged/lint-staged#configuration',
    files: '.lintstagedrc* lint-staged.config.*',
  },
  {
    tool: 'captainhook',
    kind: 'hook',
    source: 'https://docs.captainhook.info/configure.html',
    files: 'captainhook.json grumphp.yml .cargo-husky/ .rusty-hook.toml .ghooks',
  },
  {
    tool: 'commitlint',
    kind: 'hook',
    source: 'https://commitlint.js.org/reference/configuration.html',
    files: '.commitlintrc* commitlint.config.* .czrc .cz.{json,toml} .cz-config.js',
  },
];
