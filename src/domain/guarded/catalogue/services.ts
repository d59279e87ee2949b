import { ofKind } from './guardedChange.ts';

/** Files of continuous integration and forges. */
export const workflowFiles = ofKind('workflow', [
  {
    tool: 'GitHub Actions',
    source: 'https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax',
    files:
      '.github/{workflows,actions,scripts}/ action.y{,a}ml .actrc .github/{settings,release,labeler}.y{,a}ml',
  },
  {
    tool: 'GitHub',
    source:
      'https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners',
    files: 'CODEOWNERS OWNERS .github/apps/ .github/rulesets/',
  },
  {
    tool: 'Dependabot',
    source:
      'https://docs.github.com/en/code-security/dependabot/working-with-dependabot/dependabot-options-reference',
    files: '.github/dependabot.y{,a}ml .dependabot/',
  },
  {
    tool: 'Renovate',
    source: 'https://docs.renovatebot.com/configuration-options',
    files: 'renovate.json{,5,c} .renovaterc{,.json,.json5,.jsonc}',
  },
  {
    tool: 'Mergify',
    source: 'https://docs.mergify.com/configuration/file-format',
    files:
      '.mergify.y{,a}ml .mergify/ .github/mergify.yml .kodiak.toml .github/.kodiak.toml bors.toml .bulldozer.yml .policy.yml',
  },
  {
    tool: 'GitLab',
    source: 'https://docs.gitlab.com/ci/yaml',
    files: '.gitlab-ci.y{,a}ml *.gitlab-ci.y{,a}ml .gitlab/ .gitlab-ci/',
  },
  { tool: 'Gitea', source: 'https://docs.gitea.com/usage/actions/quickstart', files: '.gitea/ .forgejo/' },
  {
    tool: 'CircleCI',
    source: 'https://circleci.com/docs/configuration-reference',
    files: '.circleci/ circle.yml',
  },
  {
    tool: 'Travis CI',
    source: 'https://docs.travis-ci.com/user/customizing-the-build',
    files: '.travis.y{,a}ml .travis/',
  },
  {
    tool: 'Azure Pipelines',
    source: 'https://learn.microsoft.com/azure/devops/pipelines/yaml-schema',
    files: '{,.}azure-pipelines*.y{,a}ml .azure-pipelines/ .azuredevops/ .vsts-ci.yml',
  },
  {
    tool: 'Bitbucket',
    source: 'https://support.atlassian.com/bitbucket-cloud/docs/configure-bitbucket-pipelinesyml',
    files: 'bitbucket-pipelines.y{,a}ml',
  },
  {
    tool: 'Jenkins',
    source: 'https://www.jenkins.io/doc/book/pipeline/jenkinsfile',
    files: 'Jenkinsfile* *.jenkinsfile jenkins.y{,a}ml',
  },
  {
    tool: 'Buildkite',
    source: 'https://buildkite.com/docs/pipelines/configure/defining-steps',
    files: '.buildkite/ buildkite.y{,a}ml',
  },
  {
    tool: 'Drone and Woodpecker',
    source: 'https://woodpecker-ci.org/docs/usage/workflow-syntax',
    files: '.drone.{yml,yaml,star,jsonnet} .woodpecker/ .woodpecker.y{,a}ml .harness/',
  },
  { tool: 'AppVeyor', source: 'https://www.appveyor.com/docs/appveyor-yml', files: '{,.}appveyor.y{,a}ml' },
  {
    tool: 'TeamCity',
    source: 'https://www.jetbrains.com/help/teamcity/kotlin-dsl.html',
    files: '.teamcity/ .space.kts',
  },
  {
    tool: 'Cirrus CI',
    source: 'https://cirrus-ci.org/guide/writing-tasks',
    files: '.cirrus.{yml,yaml,star}',
  },
  { tool: 'Semaphore', source: 'https://docs.semaphoreci.com/reference/pipeline-yaml', files: '.semaphore/' },
  { tool: 'SourceHut', source: 'https://man.sr.ht/builds.sr.ht', files: '.build.yml .builds/' },
  {
    tool: 'Google Cloud Build',
    source: 'https://cloud.google.com/build/docs/build-config-file-schema',
    files: 'cloudbuild*.{yml,yaml,json}',
  },
  {
    tool: 'AWS CodeBuild',
    source: 'https://docs.aws.amazon.com/codebuild/latest/userguide/build-spec-ref.html',
    files: '{buildspec,appspec}*.y{,a}ml',
  },
  {
    tool: 'Tekton',
    source: 'https://pipelinesascode.com/docs/guide/authoringprs',
    files:
      '.tekton/ .zuul.yaml zuul.d/ .zuul.d/ .concourse/ .prow.yaml wercker.yml codeship-*.yml bitrise.yml codemagic.yaml .xcode-cloud/ ci_scripts/ .evergreen.yml',
  },
  {
    tool: 'release tools',
    source: 'https://semantic-release.gitbook.io/semantic-release/usage/configuration',
    files:
      '.releaserc* release.config.* .goreleaser.y{,a}ml goreleaser.y{,a}ml .release-it.* release-please-config.json cliff.toml .changeset/config.json',
  },
  {
    tool: 'code checks on servers',
    source: 'https://docs.codecov.com/docs/codecov-yaml',
    files:
      '{,.}codecov.y{,a}ml .coveralls.yml sonar-project.properties .sonarcloud.properties .codeclimate.yml .deepsource.toml .coderabbit.y{,a}ml .snyk',
  },
]);

/** Files of containers and machines. */
export const machineFiles = ofKind('machine', [
  {
    tool: 'Docker',
    source: 'https://docs.docker.com/reference/dockerfile',
    files:
      'Dockerfile Dockerfile.* *.Dockerfile Containerfile{,.*} {,docker-}compose{,.*,-*}.y{,a}ml docker-bake.{hcl,json} docker-bake.override.{hcl,json} .dockerignore *.dockerignore',
  },
  {
    tool: 'Procfile',
    source: 'https://devcenter.heroku.com/articles/procfile',
    files: 'Procfile{,.*} heroku.yml .buildpacks .foreman .overmind.env',
  },
  {
    tool: 'Vagrant',
    source: 'https://developer.hashicorp.com/vagrant/docs/vagrantfile',
    files: 'Vagrantfile',
  },
  {
    tool: 'Terraform',
    source: 'https://developer.hashicorp.com/terraform/language/files',
    files:
      '*.tf *.tf.json *.tofu *.tfvars *.tfvars.json .terraformrc terraform.rc .terraform.lock.hcl terragrunt.hcl *.pkr.hcl',
  },
  {
    tool: 'Pulumi',
    source: 'https://www.pulumi.com/docs/iac/concepts/projects/project-file',
    files:
      'Pulumi.{yaml,yml} Pulumi.*.y{,a}ml cdk.json serverless.{yml,yaml,ts,js,json} samconfig.toml template.sam.yaml',
  },
  {
    tool: 'Ansible',
    source: 'https://docs.ansible.com/ansible/latest/reference_appendices/config.html',
    files: 'ansible.cfg playbook*.y{,a}ml',
  },
  {
    tool: 'Kubernetes',
    source: 'https://kubectl.docs.kubernetes.io/references/kustomize/kustomization',
    files:
      'kustomization.y{,a}ml Chart.yaml helmfile.y{,a}ml skaffold.yaml Tiltfile .argocd/ .flux.yaml devspace.yaml',
  },
  {
    tool: 'hosting services',
    source: 'https://vercel.com/docs/project-configuration',
    files:
      'vercel.json netlify.toml wrangler.{toml,json,jsonc} fly.toml render.yaml railway.{json,toml} firebase.json .firebaserc amplify.yml /app.yaml nixpacks.toml now.json .do/app.yaml .platform.app.yaml',
  },
  {
    tool: 'Nix',
    source: 'https://nix.dev/manual/nix/latest/command-ref/new-cli/nix3-flake',
    files: 'flake.nix flake.lock shell.nix /default.nix devbox.{json,lock} devenv.{nix,yaml,lock} .flox/',
  },
]);
