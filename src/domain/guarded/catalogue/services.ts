import type { GuardedFile } from './guardedFile.ts';

const workflow = 'workflow';
const machine = 'machine';

/** Files that continuous integration and forges act on, and those that start containers and machines. */
export const serviceFiles: readonly GuardedFile[] = [
  {
    tool: 'GitHub Actions',
    kind: workflow,
    source: 'https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax',
    files:
      '.github/{workflows,actions,scripts}/ action.y{,a}ml .actrc .github/{settings,release,labeler}.y{,a}ml',
  },
  {
    tool: 'GitHub',
    kind: workflow,
    source:
      'https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners',
    files: 'CODEOWNERS OWNERS .github/apps/ .github/rulesets/',
  },
  {
    tool: 'Dependabot',
    kind: workflow,
    source:
      'https://docs.github.com/en/code-security/dependabot/working-with-dependabot/dependabot-options-reference',
    files: '.github/dependabot.y{,a}ml .dependabot/',
  },
  {
    tool: 'Renovate',
    kind: workflow,
    source: 'https://docs.renovatebot.com/configuration-options',
    files: 'renovate.json{,5,c} .renovaterc{,.json,.json5,.jsonc}',
  },
  {
    tool: 'Mergify',
    kind: workflow,
    source: 'https://docs.mergify.com/configuration/file-format',
    files:
      '.mergify.y{,a}ml .mergify/ .github/mergify.yml .kodiak.toml .github/.kodiak.toml bors.toml .bulldozer.yml .policy.yml',
  },
  {
    tool: 'GitLab',
    kind: workflow,
    source: 'https://docs.gitlab.com/ci/yaml',
    files: '.gitlab-ci.y{,a}ml *.gitlab-ci.y{,a}ml .gitlab/ .gitlab-ci/',
  },
  {
    tool: 'Gitea',
    kind: workflow,
    source: 'https://docs.gitea.com/usage/actions/quickstart',
    files: '.gitea/ .forgejo/',
  },
  {
    tool: 'CircleCI',
    kind: workflow,
    source: 'https://circleci.com/docs/configuration-reference',
    files: '.circleci/ circle.yml',
  },
  {
    tool: 'Travis CI',
    kind: workflow,
    source: 'https://docs.travis-ci.com/user/customizing-the-build',
    files: '.travis.y{,a}ml .travis/',
  },
  {
    tool: 'Azure Pipelines',
    kind: workflow,
    source: 'https://learn.microsoft.com/azure/devops/pipelines/yaml-schema',
    files: '{,.}azure-pipelines*.y{,a}ml .azure-pipelines/ .azuredevops/ .vsts-ci.yml',
  },
  {
    tool: 'Bitbucket',
    kind: workflow,
    source: 'https://support.atlassian.com/bitbucket-cloud/docs/configure-bitbucket-pipelinesyml',
    files: 'bitbucket-pipelines.y{,a}ml',
  },
  {
    tool: 'Jenkins',
    kind: workflow,
    source: 'https://www.jenkins.io/doc/book/pipeline/jenkinsfile',
    files: 'Jenkinsfile* *.jenkinsfile jenkins.y{,a}ml',
  },
  {
    tool: 'Buildkite',
    kind: workflow,
    source: 'https://buildkite.com/docs/pipelines/configure/defining-steps',
    files: '.buildkite/ buildkite.y{,a}ml',
  },
  {
    tool: 'Drone and Woodpecker',
    kind: workflow,
    source: 'https://woodpecker-ci.org/docs/usage/workflow-syntax',
    files: '.drone.{yml,yaml,star,jsonnet} .woodpecker/ .woodpecker.y{,a}ml .harness/',
  },
  {
    tool: 'AppVeyor',
    kind: workflow,
    source: 'https://www.appveyor.com/docs/appveyor-yml',
    files: '{,.}appveyor.y{,a}ml',
  },
  {
    tool: 'TeamCity',
    kind: workflow,
    source: 'https://www.jetbrains.com/help/teamcity/kotlin-dsl.html',
    files: '.teamcity/ .space.kts',
  },
  {
    tool: 'Cirrus CI',
    kind: workflow,
    source: 'https://cirrus-ci.org/guide/writing-tasks',
    files: '.cirrus.{yml,yaml,star}',
  },
  {
    tool: 'Semaphore',
    kind: workflow,
    source: 'https://docs.semaphoreci.com/reference/pipeline-yaml',
    files: '.semaphore/',
  },
  {
    tool: 'SourceHut',
    kind: workflow,
    source: 'https://man.sr.ht/builds.sr.ht',
    files: '.build.yml .builds/',
  },
  {
    tool: 'Google Cloud Build',
    kind: workflow,
    source: 'https://cloud.google.com/build/docs/build-config-file-schema',
    files: 'cloudbuild*.{yml,yaml,json}',
  },
  {
    tool: 'AWS CodeBuild',
    kind: workflow,
    source: 'https://docs.aws.amazon.com/codebuild/latest/userguide/build-spec-ref.html',
    files: '{buildspec,appspec}*.y{,a}ml',
  },
  {
    tool: 'Tekton',
    kind: workflow,
    source: 'https://pipelinesascode.com/docs/guide/authoringprs',
    files:
      '.tekton/ .zuul.yaml zuul.d/ .zuul.d/ .concourse/ .prow.yaml wercker.yml codeship-*.yml bitrise.yml codemagic.yaml .xcode-cloud/ ci_scripts/ .evergreen.yml',
  },
  {
    tool: 'release tools',
    kind: workflow,
    source: 'https://semantic-release.gitbook.io/semantic-release/usage/configuration',
    files:
      '.releaserc* release.config.* .goreleaser.y{,a}ml goreleaser.y{,a}ml .release-it.* release-please-config.json cliff.toml .changeset/config.json',
  },
  {
    tool: 'code checks on servers',
    kind: workflow,
    source: 'https://docs.codecov.com/docs/codecov-yaml',
    files:
      '{,.}codecov.y{,a}ml .coveralls.yml sonar-project.properties .sonarcloud.properties .codeclimate.yml .deepsource.toml .coderabbit.y{,a}ml .snyk',
  },
  {
    tool: 'Docker',
    kind: machine,
    source: 'https://docs.docker.com/reference/dockerfile',
    files:
      'Dockerfile Dockerfile.* *.Dockerfile Containerfile{,.*} {,docker-}compose{,.*,-*}.y{,a}ml docker-bake.{hcl,json} docker-bake.override.{hcl,json} .dockerignore *.dockerignore',
  },
  {
    tool: 'Procfile',
    kind: machine,
    source: 'https://devcenter.heroku.com/articles/procfile',
    files: 'Procfile{,.*} heroku.yml .buildpacks .foreman .overmind.env',
  },
  {
    tool: 'Vagrant',
    kind: machine,
    source: 'https://developer.hashicorp.com/vagrant/docs/vagrantfile',
    files: 'Vagrantfile',
  },
  {
    tool: 'Terraform',
    kind: machine,
    source: 'https://developer.hashicorp.com/terraform/language/files',
    files:
      '*.tf *.tf.json *.tofu *.tfvars *.tfvars.json .terraformrc terraform.rc .terraform.lock.hcl terragrunt.hcl *.pkr.hcl',
  },
  {
    tool: 'Pulumi',
    kind: machine,
    source: 'https://www.pulumi.com/docs/iac/concepts/projects/project-file',
    files:
      'Pulumi.{yaml,yml} Pulumi.*.y{,a}ml cdk.json serverless.{yml,yaml,ts,js,json} samconfig.toml template.sam.yaml',
  },
  {
    tool: 'Ansible',
    kind: machine,
    source: 'https://docs.ansible.com/ansible/latest/reference_appendices/config.html',
    files: 'ansible.cfg playbook*.y{,a}ml',
  },
  {
    tool: 'Kubernetes',
    kind: machine,
    source: 'https://kubectl.docs.kubernetes.io/references/kustomize/kustomization',
    files:
      'kustomization.y{,a}ml Chart.yaml helmfile.y{,a}ml skaffold.yaml Tiltfile .argocd/ .flux.yaml devspace.yaml',
  },
  {
    tool: 'hosting services',
    kind: machine,
    source: 'https://vercel.com/docs/project-configuration',
    files:
      'vercel.json netlify.toml wrangler.{toml,json,jsonc} fly.toml render.yaml railway.{json,toml} firebase.json .firebaserc amplify.yml /app.yaml nixpacks.toml now.json .do/app.yaml .platform.app.yaml',
  },
  {
    tool: 'Nix',
    kind: machine,
    source: 'https://nix.dev/manual/nix/latest/command-ref/new-cli/nix3-flake',
    files: 'flake.nix flake.lock shell.nix /default.nix devbox.{json,lock} devenv.{nix,yaml,lock} .flox/',
  },
];
