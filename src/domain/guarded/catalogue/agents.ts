import type { GuardedFile } from './guardedFile.ts';

const kind = 'agent';

/** Files by which agents are told what to do, or what they may run. */
export const agentFiles: readonly GuardedFile[] = [
  {
    tool: 'agents',
    kind,
    source: 'https://agents.md',
    files: 'AGENTS.md AGENTS.*.md AGENT.md .agents/ .agent/ SKILL.md .rules',
  },
  {
    tool: 'Claude Code',
    kind,
    source: 'https://docs.anthropic.com/en/docs/claude-code/settings',
    files: 'CLAUDE.md CLAUDE.*.md .claude/ .claude.json .mcp.json .claude-plugin/',
  },
  {
    tool: 'OpenCode',
    kind,
    source: 'https://opencode.ai/docs/config',
    files: '.opencode/ {,.}opencode.json{,c}',
  },
  {
    tool: 'Cursor',
    kind,
    source: 'https://docs.cursor.com/context/rules',
    files: '.cursorrules .cursor/ .cursorignore',
  },
  {
    tool: 'GitHub Copilot',
    kind,
    source: 'https://docs.github.com/en/copilot/how-tos/configure-custom-instructions',
    files:
      'copilot-instructions.md .github/{instructions,prompts,chatmodes,agents,skills,hooks}/ .copilot/ copilot-setup-steps.y{,a}ml *.{instructions,prompt,chatmode,agent}.md',
  },
  {
    tool: 'Windsurf',
    kind,
    source: 'https://docs.windsurf.com/windsurf/cascade/memories',
    files: '.windsurfrules .windsurf/ .codeium/',
  },
  {
    tool: 'Gemini CLI',
    kind,
    source: 'https://google-gemini.github.io/gemini-cli/docs/get-started/configuration.html',
    files: 'GEMINI.md .gemini/',
  },
  {
    tool: 'Codex',
    kind,
    source: 'https://developers.openai.com/codex/config-basic',
    files: '.codex/ CODEX.md',
  },
  {
    tool: 'Cline',
    kind,
    source: 'https://docs.cline.bot/features/cline-rules',
    files: '.clinerules/ .cline/ .clineignore',
  },
  {
    tool: 'Roo Code',
    kind,
    source: 'https://docs.roocode.com/features/custom-instructions',
    files: '.roo/ .roorules* .roomodes .rooignore',
  },
  {
    tool: 'Kilo Code',
    kind,
    source: 'https://kilocode.ai/docs/agent-behavior/custom-rules',
    files: '.kilocode/ .kilocoderules* .kilocodemodes',
  },
  {
    tool: 'Continue',
    kind,
    source: 'https://docs.continue.dev/customize/deep-dives/rules',
    files: '.continue/ .continuerules .continuerc.json',
  },
  {
    tool: 'aider',
    kind,
    source: 'https://aider.chat/docs/config/aider_conf.html',
    files: '.aider.conf.y{,a}ml .aider.model.*',
  },
  {
    tool: 'Amazon Q',
    kind,
    source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html',
    files: '.amazonq/',
  },
  { tool: 'Kiro', kind, source: 'https://kiro.dev/docs/steering', files: '.kiro/' },
  {
    tool: 'Junie',
    kind,
    source: 'https://www.jetbrains.com/help/junie/customize-guidelines.html',
    files: '.junie/ .aiassistant/',
  },
  {
    tool: 'Augment',
    kind,
    source: 'https://docs.augmentcode.com/setup-augment/guidelines',
    files: '.augment/ .augment-guidelines',
  },
  {
    tool: 'goose',
    kind,
    source: 'https://block.github.io/goose/docs/guides/using-goosehints',
    files: '.goosehints .goose/',
  },
  { tool: 'Trae', kind, source: 'https://docs.trae.ai/ide/rules', files: '.trae/' },
  { tool: 'Qwen Code', kind, source: 'https://github.com/QwenLM/qwen-code', files: 'QWEN.md .qwen/' },
  { tool: 'Crush', kind, source: 'https://github.com/charmbracelet/crush', files: 'CRUSH.md {,.}crush.json' },
  {
    tool: 'Warp',
    kind,
    source: 'https://docs.warp.dev/knowledge-and-collaboration/rules',
    files: 'WARP.md .warp/',
  },
];
