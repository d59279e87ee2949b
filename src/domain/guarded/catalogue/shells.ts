import type { GuardedFile } from './guardedFile.ts';

const kind = 'shell';

/** Files that shells, interpreters and managers of versions load, from the folder that they start in. */
export const shellFiles: readonly GuardedFile[] = [
  {
    tool: 'direnv',
    kind,
    source: 'https://direnv.net/man/direnv.1.html',
    files: '.envrc .envrc.* direnv.toml .direnvrc',
  },
  {
    tool: 'dotenv',
    kind,
    source: 'https://nodejs.org/api/environment_variables.html#dotenv',
    files:
      '.env .env.{local,test,dev,development,prod,production,staging,ci,default,defaults,shared}{,.local} .env.vault .flaskenv .env.mjs .dotenv .secrets .dev.vars',
  },
  {
    tool: 'mise and asdf',
    kind,
    source: 'https://mise.jdx.dev/configuration.html',
    files:
      '{,.}mise{,.*}.toml .mise/ /mise/ .config/mise/ .config/mise.toml .tool-versions .rtx.toml .asdfrc .default-* mise.lock .prototools .proto/',
  },
  {
    tool: 'managers of versions',
    kind,
    source: 'https://github.com/nvm-sh/nvm#nvmrc',
    files:
      '.nvmrc .node-version .python-version{,s} .ruby-version .ruby-gemset .java-version .php-version .sdkmanrc .terraform-version .jenv* .rvmrc .perl-version .swift-version .xcode-version .bun-version .deno-version .dvmrc pyvenv.cfg',
  },
  {
    tool: 'shells',
    kind,
    source: 'https://www.gnu.org/software/bash/manual/html_node/Bash-Startup-Files.html',
    files:
      '.{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,zshrc,zshenv,zprofile,zlogin,zlogout,kshrc,cshrc,tcshrc,login,inputrc,aliases,shrc} .config/fish/ .oh-my-zsh/ .autoenv{,.zsh} .kube/ .ssh/ .curlrc .wgetrc .netrc _netrc .gdbinit .lldbinit .gnupg/ .aws/ .docker/',
  },
  {
    tool: 'PowerShell',
    kind,
    source: 'https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_profiles',
    files: '*profile.ps1 desktop.ini autorun.inf',
  },
  {
    tool: 'Python',
    kind,
    source: 'https://docs.python.org/3/library/site.html',
    files:
      '{site,user}customize.py {site,user}customize/__init__.py *.pth .pythonrc{,.py} .pythonstartup pythonstartup.py ._pth python*._pth .pdbrc{,.py} .ipython/ ipython_config.py jupyter_*_config.{py,json} .jupyter/',
  },
  {
    tool: 'Node.js',
    kind,
    source: 'https://nodejs.org/api/cli.html#--experimental-default-config-file',
    files: 'node.config.json',
  },
  {
    tool: 'Perl, PHP and Ruby',
    kind,
    source: 'https://www.php.net/manual/en/configuration.file.per-user.php',
    files: '.user.ini php.ini .htaccess web.config sitecustomize.pl .perltidyrc .perlcriticrc .proverc',
  },
  {
    tool: 'Java',
    kind,
    source: 'https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html',
    files: 'jvm.config *.jvmoptions jshell.startup java.security',
  },
  {
    tool: 'R and Julia',
    kind,
    source: 'https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html',
    files: '.Rprofile .Renviron Rprofile.site LocalPreferences.toml JuliaLocalPreferences.toml startup.jl',
  },
  {
    tool: 'services of the system',
    kind,
    source: 'https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html',
    files:
      '*.{service,timer,socket,desktop} crontab crontab.* cron.d/ LaunchAgents/ LaunchDaemons/ .xinitrc .xprofile',
  },
];
