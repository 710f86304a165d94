import { join } from 'node:path'

/** Where secrets usually lie below a home folder, and what a command of a plan has no business reading. */
export function secretPlaces(home: string): readonly string[] {
  return [...belowHome.map(name => join(home, name)), ...system]
}

const belowHome = [
  // keys
  ...['.ssh', '.gnupg', '.password-store', '.local/share/keyrings', '.vault-token', '.age', '.config/sops'],
  ...['.pki', '.ssh-agent', '.local/share/kwalletd', '.config/age', '.config/1Password', '.config/keepassxc'],
  // clouds
  ...['.aws', '.azure', '.config/gcloud', '.kube', '.oci', '.config/doctl', '.terraform.d', '.config/op'],
  ...['.docker', '.config/containers/auth.json', '.config/rclone', '.s3cfg', '.boto'],
  // hosts of code
  ...[
    '.netrc',
    '.git-credentials',
    '.config/git/credentials',
    '.config/gh',
    '.config/hub',
    '.config/glab-cli',
  ],
  // registries of packages
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.config/pip', '.pip', '.pypirc', '.config/pypoetry/auth.toml'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.config/composer/auth.json'],
  ...['.composer/auth.json', '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties'],
  ...['.nuget/NuGet/NuGet.Config', '.bunfig.toml', '.pgpass', '.my.cnf'],
  ...[
    '.pub-cache/credentials.json',
    '.config/dart/pub-credentials.json',
    '.mix/hex.config',
    '.hex',
    '.bundle',
  ],
  ...['.cabal/config', '.stack/config.yaml', '.gradle/init.d', '.sbt/.credentials', '.ivy2/.credentials'],
  ...['.cache/huggingface/token', '.huggingface', '.kaggle', '.conda/.condarc', '.condarc', '.julia/servers'],
  // what was typed and browsed
  ...['.bash_history', '.zsh_history', '.local/share/fish', '.psql_history', '.python_history'],
  ...[
    '.mysql_history',
    '.sqlite_history',
    '.node_repl_history',
    '.irb_history',
    '.lesshst',
    '.viminfo',
    '.rediscli_history',
  ],
  ...['.mozilla', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.thunderbird'],
  // other agents' logins
  ...[
    '.claude',
    '.claude.json',
    '.codex',
    '.gemini',
    '.config/github-copilot',
    '.local/share/opencode/auth.json',
  ],
]

/** Readable for root only, and so for commands that run as root. */
const system = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/shadow-',
  '/etc/gshadow-',
  '/etc/ssh',
  '/etc/sudoers.d',
  '/etc/krb5.keytab',
]
