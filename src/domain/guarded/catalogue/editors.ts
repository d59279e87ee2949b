import { ofKind } from './guardedChange.ts';

/** Instructions and permissions of agents. */
export const agentFiles = ofKind('agent', [
  {
    tool: 'agents',
    source: 'https://agents.md',
    files: 'AGENTS.md AGENTS.*.md AGENT.md .agents/ .agent/ SKILL.md .rules',
  },
  {
    tool: 'Claude Code',
    source: 'https://docs.anthropic.com/en/docs/claude-code/settings',
    files: 'CLAUDE.md CLAUDE.*.md .claude/ .claude.json .mcp.json .claude-plugin/',
  },
  { tool: 'OpenCode', source: 'https://opencode.ai/docs/config', files: '.opencode/ {,.}opencode.json{,c}' },
  {
    tool: 'Cursor',
    source: 'https://docs.cursor.com/context/rules',
    files: '.cursorrules .cursor/ .cursorignore',
  },
  {
    tool: 'GitHub Copilot',
    source: 'https://docs.github.com/en/copilot/how-tos/configure-custom-instructions',
    files:
      'copilot-instructions.md .github/{instructions,prompts,chatmodes,agents,skills,hooks}/ .copilot/ copilot-setup-steps.y{,a}ml *.{instructions,prompt,chatmode,agent}.md',
  },
  {
    tool: 'Windsurf',
    source: 'https://docs.windsurf.com/windsurf/cascade/memories',
    files: '.windsurfrules .windsurf/ .codeium/',
  },
  {
    tool: 'Gemini CLI',
    source: 'https://google-gemini.github.io/gemini-cli/docs/get-started/configuration.html',
    files: 'GEMINI.md .gemini/',
  },
  { tool: 'Codex', source: 'https://developers.openai.com/codex/config-basic', files: '.codex/ CODEX.md' },
  {
    tool: 'Cline',
    source: 'https://docs.cline.bot/features/cline-rules',
    files: '.clinerules/ .cline/ .clineignore',
  },
  {
    tool: 'Roo Code',
    source: 'https://docs.roocode.com/features/custom-instructions',
    files: '.roo/ .roorules* .roomodes .rooignore',
  },
  {
    tool: 'Kilo Code',
    source: 'https://kilocode.ai/docs/agent-behavior/custom-rules',
    files: '.kilocode/ .kilocoderules* .kilocodemodes',
  },
  {
    tool: 'Continue',
    source: 'https://docs.continue.dev/customize/deep-dives/rules',
    files: '.continue/ .continuerules .continuerc.json',
  },
  {
    tool: 'aider',
    source: 'https://aider.chat/docs/config/aider_conf.html',
    files: '.aider.conf.y{,a}ml .aider.model.*',
  },
  {
    tool: 'Amazon Q',
    source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html',
    files: '.amazonq/',
  },
  { tool: 'Kiro', source: 'https://kiro.dev/docs/steering', files: '.kiro/' },
  {
    tool: 'Junie',
    source: 'https://www.jetbrains.com/help/junie/customize-guidelines.html',
    files: '.junie/ .aiassistant/',
  },
  {
    tool: 'Augment',
    source: 'https://docs.augmentcode.com/setup-augment/guidelines',
    files: '.augment/ .augment-guidelines',
  },
  {
    tool: 'goose',
    source: 'https://block.github.io/goose/docs/guides/using-goosehints',
    files: '.goosehints .goose/',
  },
  { tool: 'Trae', source: 'https://docs.trae.ai/ide/rules', files: '.trae/' },
  { tool: 'Qwen Code', source: 'https://github.com/QwenLM/qwen-code', files: 'QWEN.md .qwen/' },
  { tool: 'Crush', source: 'https://github.com/charmbracelet/crush', files: 'CRUSH.md {,.}crush.json' },
  {
    tool: 'Warp',
    source: 'https://docs.warp.dev/knowledge-and-collaboration/rules',
    files: 'WARP.md .warp/',
  },
]);

/** Files of editors. `.editorconfig` and `.mailmap` start and trust nothing. */
export const editorFiles = ofKind('editor', [
  {
    tool: 'VS Code',
    source: 'https://code.visualstudio.com/docs/editing/workspaces/workspace-trust',
    files: '.vscode/ *.code-workspace',
  },
  {
    tool: 'IntelliJ IDEA',
    source: 'https://www.jetbrains.com/help/idea/project-security.html',
    files: '.idea/ .fleet/ .run/ *.iml *.ipr *.iws',
  },
  { tool: 'Beadsmith', source: 'docs/decisions/168-evidence-is-signed.md', files: '/.beadsmith/keys' },
  {
    tool: 'Beadsmith',
    source: 'docs/decisions/165-guarded-by-default.md',
    files: '/.beadsmith/accepted-changes',
  },
  { tool: 'Zed', source: 'https://zed.dev/docs/configuring-zed', files: '.zed/' },
  {
    tool: 'Vim',
    source: "https://vimhelp.org/options.txt.html#'exrc'",
    files: '{.,_}{exrc,vimrc,gvimrc,nvimrc} .nvim.lua .vim/ .lvimrc .vimspector.json',
  },
  {
    tool: 'Emacs',
    source: 'https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html',
    files: '.dir-locals.el .dir-locals-2.el .projectile',
  },
  {
    tool: 'Sublime Text',
    source: 'https://www.sublimetext.com/docs/projects.html',
    files: '*.sublime-{project,workspace,build}',
  },
  {
    tool: 'Visual Studio',
    source: 'https://learn.microsoft.com/visualstudio/ide/customize-build-and-debug-tasks-in-visual-studio',
    files: '.vs/ launchSettings.json',
  },
  {
    tool: 'Eclipse',
    source:
      'https://help.eclipse.org/latest/topic/org.eclipse.platform.doc.isv/reference/misc/project_description_file.html',
    files: '.project .classpath .settings/',
  },
  {
    tool: 'Xcode',
    source: 'https://developer.apple.com/documentation/xcode/customizing-the-build-schemes-for-a-project',
    files: '*.xcodeproj/ *.xcworkspace/ *.xcconfig',
  },
  { tool: 'Helix', source: 'https://docs.helix-editor.com/configuration.html', files: '.helix/' },
  {
    tool: 'language servers',
    source: 'https://luals.github.io/wiki/configuration',
    files: '.luarc.json{,c} pyrightconfig.json .clangd compile_flags.txt .ccls .neoconf.json',
  },
  {
    tool: 'Dev Containers',
    source: 'https://containers.dev/implementors/spec',
    files:
      '.devcontainer/ .devcontainer.json .gitpod.y{,a}ml .gitpod/ .idx/ .codesandbox/ .stackblitzrc .replit',
  },
]);

/** Files of git; `.gitignore` is read by lines (`guardedChanges.ts`). */
export const gitFiles = ofKind('git', [
  {
    tool: 'git',
    source: 'https://git-scm.com/docs/gitattributes',
    files: '.git/ git~*/ .gitattributes .gitmodules .gitconfig',
  },
  {
    tool: 'Git LFS',
    source: 'https://github.com/git-lfs/git-lfs/blob/main/docs/man/git-lfs-config.adoc',
    files: '.lfsconfig',
  },
]);

/** Files of git hooks. */
export const hookFiles = ofKind('hook', [
  {
    tool: 'git',
    source: 'https://git-scm.com/docs/githooks',
    files: '.githooks/ .hooks/ .git-hooks/ /githooks/ /git-hooks/',
  },
  { tool: 'husky', source: 'https://typicode.github.io/husky/how-to.html', files: '.husky/ .huskyrc*' },
  {
    tool: 'lefthook',
    source: 'https://lefthook.dev/configuration',
    files: '{,.}lefthook{,-local}.{yml,yaml,toml,json,jsonc} .lefthook/ .lefthook-local/ .config/lefthook*',
  },
  {
    tool: 'pre-commit',
    source: 'https://pre-commit.com/#adding-pre-commit-plugins-to-your-project',
    files: '.pre-commit-{config,hooks}.y{,a}ml prek.toml',
  },
  {
    tool: 'overcommit',
    source: 'https://github.com/sds/overcommit#configuration',
    files: '.overcommit.yml .overcommit_gems.rb',
  },
  {
    tool: 'simple-git-hooks',
    source: 'https://github.com/toplenboren/simple-git-hooks#usage',
    files: '{,.}simple-git-hooks.{cjs,js,mjs,json}',
  },
  {
    tool: 'lint-staged',
    source: 'https://github.com/lint-staged/lint-staged#configuration',
    files: '.lintstagedrc* lint-staged.config.*',
  },
  {
    tool: 'captainhook',
    source: 'https://docs.captainhook.info/configure.html',
    files: 'captainhook.json grumphp.yml .cargo-husky/ .rusty-hook.toml .ghooks',
  },
  {
    tool: 'commitlint',
    source: 'https://commitlint.js.org/reference/configuration.html',
    files: '.commitlintrc* commitlint.config.* .czrc .cz.{json,toml} .cz-config.js',
  },
]);
